//! Hostile text made visible.

/// One line of text: control, hidden and reordering characters become escapes.
pub fn line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let hidden = c.is_control()
            || matches!(c,
                '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}' | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e0fff}');
        if hidden { out.extend(c.escape_unicode()) } else { out.push(c) }
    }
    out
}
