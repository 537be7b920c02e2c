//! Rust text as a flat list of tokens: comments and texts in quotes cannot be taken for code.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

/// One token and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Token {
    /// An identifier, `::`, a bracket or another single character; a literal is `"`.
    pub text: String,
    /// Inline modules around it.
    pub depth: usize,
    /// Whether it is of an item that is marked `#[cfg(test)]`.
    pub test: bool,
    /// The line it stands in, from 1.
    pub line: usize,
}

/// The tokens of a file.
pub(super) fn of(path: &str, text: &str) -> Vec<Token> {
    let stream: TokenStream = text.parse().unwrap_or_else(|e| panic!("{path} is not Rust: {e}"));
    let mut tokens = Vec::new();
    walk(stream, 0, false, &mut tokens);
    tokens
}

fn walk(stream: TokenStream, depth: usize, test: bool, out: &mut Vec<Token>) {
    let trees: Vec<_> = stream.into_iter().collect();
    // Up to where an item goes on that only tests have.
    let mut tested = 0;
    for (i, tree) in trees.iter().enumerate() {
        if is_cfg_test(tree) && is_item(&trees, i + 1) {
            tested = end_of_item(&trees, i + 1);
        }
        let test = test || i < tested;
        let line = tree.span().start().line;
        let mut push = |text: String| out.push(Token { text, depth, test, line });
        match tree {
            TokenTree::Ident(ident) => push(ident.to_string().trim_start_matches("r#").to_owned()),
            TokenTree::Literal(_) => push("\"".to_owned()),
            TokenTree::Punct(p) if p.as_char() == ':' && pairs(&trees, i) => push("::".to_owned()),
            // The second half of the pair.
            TokenTree::Punct(p) if p.as_char() == ':' && i > 0 && pairs(&trees, i - 1) => {}
            TokenTree::Punct(p) => push(p.as_char().to_string()),
            TokenTree::Group(group) => {
                let module = is_module(&trees, i, group);
                walk_group(group, depth + usize::from(module), test, out);
            }
        }
    }
}

fn walk_group(group: &Group, depth: usize, test: bool, out: &mut Vec<Token>) {
    let (open, close) = match group.delimiter() {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::None => ("", ""),
    };
    let bracket = |text: &str, line| Token { text: text.to_owned(), depth, test, line };
    out.push(bracket(open, group.span_open().start().line));
    walk(group.stream(), depth, test, out);
    out.push(bracket(close, group.span_close().end().line));
}

/// Tells whether `trees[i]` and the next are the two halves of `::`.
fn pairs(trees: &[TokenTree], i: usize) -> bool {
    let colon = |i: usize| matches!(trees.get(i), Some(TokenTree::Punct(p)) if p.as_char() == ':');
    let joint = matches!(trees.get(i), Some(TokenTree::Punct(p)) if p.spacing() == Spacing::Joint);
    colon(i) && joint && colon(i + 1)
}

/// Tells whether `trees[i]` is the body of `mod name { }`.
fn is_module(trees: &[TokenTree], i: usize, group: &Group) -> bool {
    let ident = |back: usize| match i.checked_sub(back).and_then(|i| trees.get(i)) {
        Some(TokenTree::Ident(ident)) => Some(ident.to_string()),
        _ => None,
    };
    group.delimiter() == Delimiter::Brace
        && ident(1).is_some()
        && ident(2).as_deref() == Some("mod")
}

/// Tells whether this is what stands in the brackets of `#[cfg(test)]`.
fn is_cfg_test(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Group(_)) && tree.to_string().replace(' ', "") == "[cfg(test)]"
}

/// Tells whether an item begins at `trees[i]`, after further attributes: no field, arm or value.
fn is_item(trees: &[TokenTree], i: usize) -> bool {
    const WORDS: [&str; 12] = [
        "pub", "use", "mod", "fn", "impl", "struct", "enum", "const", "static", "type", "trait",
        "async",
    ];
    match trees.get(i) {
        Some(TokenTree::Punct(p)) if p.as_char() == '#' => is_item(trees, i + 2),
        Some(TokenTree::Ident(ident)) => WORDS.contains(&ident.to_string().as_str()),
        _ => false,
    }
}

/// The index after the item at `trees[i]`: it ends in braces or a semicolon.
fn end_of_item(trees: &[TokenTree], i: usize) -> usize {
    let ends = |tree: &TokenTree| match tree {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(p) => p.as_char() == ';',
        _ => false,
    };
    trees.iter().skip(i).position(ends).map_or(trees.len(), |at| i + at + 1)
}
