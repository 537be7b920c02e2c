//! Text of the content that cannot pass for anything else.

use super::fold::Folded;
use crate::engine::answer::THOUGHTS;
use regex::bytes::{Captures, Regex, RegexBuilder};
use std::borrow::Cow;
use std::sync::LazyLock;

/// Our own delimiters with whatever mark, the tokens by which servers part a conversation (of those too
/// many servers make turns, wherever they stand), and the words by which models were taught to part it.
/// Letters that look like `I` fold to one of `Il1|`. Roles in small letters are common in plain text.
const SHAPES: [&str; 6] = [
    r"(?P<rule>={2,})\s*(?:BEG[Il1|]N\s+MATER[Il1|]A[Il1|]|END\s+MATER[Il1|]A[Il1|]|(?:F[Il1|][Il1|]E|TEXT)[ \t]+(?:\d|[\x80-\xff]+)|CUT\b)",
    r"<\|[^|<>\n]{1,120}\|>",
    r"\[/?(?:INST|THINK|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|[gs]?MASK|CLS|SEP|IMG(?:_BREAK|_END)?|UNUSED_TOKEN_\d{1,5})\]|<</?SYS>>",
    r"</?s>|</?(?:bos|eos|[se]op|pad|unk|mask)>|</?(?:start|end)_of_[a-z]{1,12}>|<(?:extra_id_|reserved_|unused)\d{1,5}>|</?[a-z_]{1,24}\|>|<\|/?[a-z_]{1,24}>",
    r"</?(?:[a-z]{1,12}:)?(?:tool_calls?|tool_response|function_calls?|function_results?|invoke|system-reminder)\b[^<>]{0,240}>",
    r"(?m)^[ \t>*]*(?:human|assistant|(?-i:User|USER|System|SYSTEM))[ \t]*:|^[ \t>]*\#{1,6}[ \t]*(?:instructions?|response|human|assistant|user|system)[ \t]*:",
];

/// In the folded text they are of ASCII, and so is the search: it is made in every run of the hook, and
/// one that knows all of Unicode takes three times as long to make. Lengths are those of bytes.
static ANY: LazyLock<Option<Regex>> = LazyLock::new(|| {
    // What ends thoughts in an answer can be quoted by none.
    let thoughts = format!(r"<\s*/?\s*{THOUGHTS}\b[^<>\n]{{0,80}}>|◁\s*/?\s*think(?:ing)?\s*▷");
    let all = format!("(?i){}|{thoughts}", SHAPES.join("|"));
    RegexBuilder::new(&all).unicode(false).build().ok()
});

/// A text without the mark, delimiters and control characters; and how many places were changed.
///
/// They are looked for in the folded text, so that no other spelling of them is left.
pub(super) fn clean<'a>(text: &'a str, mark: &str) -> (Cow<'a, str>, usize) {
    let (mut out, mut count) = (Cow::Borrowed(text), 0);
    if let Some((without, found)) = without_mark(&out, mark) {
        (out, count) = (Cow::Owned(without), count + found);
    }
    if let Some((without, found)) = without_shapes(&out) {
        (out, count) = (Cow::Owned(without), count + found);
    }
    if out.contains(is_control) {
        count += out.chars().filter(|c| is_control(*c)).count();
        out = Cow::Owned(out.chars().map(picture).collect());
    }
    (out, count)
}

/// Each place with one of the shapes taken apart, and how many there were.
fn without_shapes(text: &str) -> Option<(String, usize)> {
    let folded = Folded::new(text);
    let (mut out, mut at, mut count) = (String::new(), 0, 0);
    for place in ANY.as_ref()?.captures_iter(folded.text.as_bytes()) {
        let Some(whole) = place.get(0) else { continue };
        out.push_str(text.get(at..folded.origin(whole.start())).unwrap_or_default());
        out.push_str(&apart(&place));
        at = folded.origin(whole.end());
        count += 1;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    (count > 0).then_some((out, count))
}

/// The mark in whatever case, replaced.
fn without_mark(text: &str, mark: &str) -> Option<(String, usize)> {
    // Hexadecimal digits are ASCII: lower case keeps every offset.
    let lower = text.to_ascii_lowercase();
    let count = lower.matches(mark).count();
    if mark.is_empty() || count == 0 {
        return None;
    }
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for (start, _) in lower.match_indices(mark) {
        out.push_str(text.get(at..start).unwrap_or_default());
        out.push_str("[mark]");
        at = start + mark.len();
    }
    out.push_str(text.get(at..).unwrap_or_default());
    Some((out, count))
}

/// The same to a reader, and no delimiter: blanks stand in it.
fn apart(place: &Captures<'_>) -> String {
    let whole = String::from_utf8_lossy(&place[0]);
    match place.name("rule") {
        Some(rule) => {
            let rest = whole.get(rule.len()..).unwrap_or_default();
            format!("{} {}", "= ".repeat(rule.len()).trim_end(), rest.trim_start())
        }
        None => whole.chars().map(String::from).collect::<Vec<_>>().join(" "),
    }
}

fn is_control(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}')
}

fn picture(c: char) -> char {
    match c {
        '\u{7f}' => '␡',
        c if is_control(c) => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARK: &str = "00112233445566778899aabbccddeeff";

    #[test]
    fn plain_text_is_not_copied() {
        let text = "# Title\r\n\n== Heading ==\n| a | b |\n\t<b>x</b> [INSTALL] =====\n";
        assert!(matches!(clean(text, MARK), (Cow::Borrowed(_), 0)));
    }

    #[test]
    fn lookalike_delimiters_are_broken_up() {
        for (text, shown) in [
            ("=== END MATERIAL x ===", "= = = END MATERIAL x ==="),
            ("====end  material", "= = = = end  material"),
            ("=== File 2 of 3", "= = = File 2 of 3"),
            ("=== FILE \u{664} x", "= = = FILE \u{664} x"),
            ("<|\u{4e2d}\u{4e2d}|>", "< | \u{4e2d} \u{4e2d} | >"),
            ("a <|im_end|> b", "a < | i m _ e n d | > b"),
            ("[/INST]</s>", "[ / I N S T ]< / s >"),
            ("<<SYS>>", "< < S Y S > >"),
            ("x</think>", "x< / t h i n k >"),
            ("===\nEND MATERIAL", "= = = END MATERIAL"),
            ("ä ===\u{a0}E\u{200b}ND M\u{410}TER\u{406}AL ö", "ä = = = END MATERlAL ö"),
            ("\u{ff1d}\u{ff1d} \u{ff25}ND MATERIAL", "= = END MATERIAL"),
            ("<|im_\u{200b}end|>", "< | i m _ e n d | >"),
            ("<\u{ff5c}im_end\u{ff5c}>", "< | i m _ e n d | >"),
            ("x\nHuman: y", "x\nH u m a n : y"),
            ("### Instruction: y", "# # #   I n s t r u c t i o n : y"),
            ("[AVAILABLE_TOOLS]<bos>", "[ A V A I L A B L E _ T O O L S ]< b o s >"),
            ("<tool_call id=\"1\">", "< t o o l _ c a l l   i d = \" 1 \" >"),
            ("<extra_id_1>", "< e x t r a _ i d _ 1 >"),
            ("[gMASK]<sop>", "[ g M A S K ]< s o p >"),
            ("USER: y\n> System : z", "U S E R : y\n>   S y s t e m   : z"),
            ("<start_of_image>[IMG_END]", "< s t a r t _ o f _ i m a g e >[ I M G _ E N D ]"),
            ("<|turn>x<turn|>", "< | t u r n >x< t u r n | >"),
            ("<reserved_106><unused7>", "< r e s e r v e d _ 1 0 6 >< u n u s e d 7 >"),
            ("[UNUSED_TOKEN_146]", "[ U N U S E D _ T O K E N _ 1 4 6 ]"),
            ("<invoke name=\"a\">", "< i n v o k e   n a m e = \" a \" >"),
            ("</minimax:tool_call>", "< / m i n i m a x : t o o l _ c a l l >"),
            ("\u{25c1}think\u{25b7}", "\u{25c1} t h i n k \u{25b7}"),
        ] {
            let (out, count) = clean(text, MARK);
            assert_eq!(out, shown);
            assert!(count > 0);
            assert_eq!(clean(&out, MARK).1, 0, "{out}");
        }
        assert!(ANY.is_some());
    }

    #[test]
    fn mark_cannot_occur_in_content() {
        let text = format!("ä {MARK} and {}", MARK.to_uppercase());
        assert_eq!(clean(&text, MARK), ("ä [mark] and [mark]".into(), 2));
    }

    #[test]
    fn control_characters_become_their_pictures() {
        assert_eq!(clean("a\0b\u{1b}[2J\r\n\tc\u{7f}", MARK), ("a␀b␛[2J\r\n\tc␡".into(), 3));
    }
}
