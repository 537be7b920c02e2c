//! The parser of the reference is itself as strict, and as exact, as it has to be.

use super::json::{Tree, open_object, value};

fn whole(text: &str) -> Option<Tree> {
    let parsed = value(text.as_bytes(), 0, 128)?;
    (parsed.end == text.len() && !parsed.no_number).then_some(parsed.tree)
}

#[test]
fn the_parser_is_as_strict_as_the_rfc() {
    for bad in [
        "",
        "01",
        "1.",
        ".5",
        "+1",
        "-",
        "1e",
        "1e+",
        "NaN",
        "Infinity",
        "-Infinity",
        "nul",
        "[1,]",
        "[,1]",
        "{,}",
        r#"{"a":1,}"#,
        r#"{"a" 1}"#,
        "{a:1}",
        "{'a':1}",
        "\"a\nb\"",
        "\"a\tb\"",
        r#""\x""#,
        r#""\u12""#,
        r#""\ud800\u12""#,
        "[1",
        "\"a",
        "// c",
        "[1 2]",
        "tru",
        "{\"a\":}",
    ] {
        assert_eq!(whole(bad), None, "{bad}");
    }
    assert!(value(b"\"a\xffb\"", 0, 9).is_none());
    assert!(value(b"\"\xed\xa0\x80\"", 0, 9).is_none(), "a surrogate in UTF-8");
    assert!(value(b"[[1]]", 0, 1).is_none() && value(b"[[1]]", 0, 2).is_some());
}

#[test]
fn an_object_is_open_while_some_bytes_could_complete_it() {
    for text in [r#"{"a":[1,{"b":"c\u00e9\ud83d\ude00é😀"}],"d":-1.5e+3,"e":null,"f":true}"#, "{ }"]
    {
        for at in 1..text.len() {
            assert!(open_object(&text.as_bytes()[..at], 0, 9), "{text} cut at {at}");
        }
        assert!(!open_object(text.as_bytes(), 0, 9));
    }
    for bad in
        ["[{", "\"", "{1", "{,", "{\"a\"1", "{\"a\":01", "{\"a\":tx", "{\"a\":[}", "{\"a\":1 2"]
    {
        assert!(!open_object(bad.as_bytes(), 0, 9), "{bad}");
    }
    assert!(!open_object(b"{\"a\":\"\xff", 0, 9) && !open_object(b"{\"a\":\"\n", 0, 9));
    assert!(!open_object(b"{\"a\":[[", 0, 2) && open_object(b"{\"a\":[", 0, 2));
}

#[test]
fn non_syntax_faults_are_detected() {
    let dup = value(br#"{"x":{"a":1,"\u0061":2}}"#, 0, 9).unwrap();
    assert!(dup.duplicate_key && !dup.lone_surrogate);
    for lone in [r#""\ud800""#, r#""\udc00""#, r#""\ud800\ud800""#, r#""\ud800\n""#, r#""\ud800x""#]
    {
        assert!(value(lone.as_bytes(), 0, 9).unwrap().lone_surrogate, "{lone}");
    }
    assert_eq!(whole(r#""\ud83d\ude00\u00e9""#), Some(Tree::Text("😀é".to_owned())));
}

#[test]
fn numbers_are_compared_by_value() {
    let same = [
        vec!["1", "1.0", "1e0", "10e-1", "0.1e1", "1.00E+0", "100e-002"],
        vec!["0", "-0", "0.0", "0e9", "-0.00e-5"],
        vec!["1e400", "10e399", "0.1E401"],
        vec!["9007199254740993"],
        vec!["9007199254740992", "9007199254740992.0"],
        vec!["-1"],
        vec!["\"1\""],
        vec!["0.1"],
        vec!["0.10000000000000001"],
    ];
    let classes: Vec<Vec<_>> = same
        .iter()
        .map(|class| class.iter().map(|n| whole(n).unwrap().canonical()).collect())
        .collect();
    for (i, class) in classes.iter().enumerate() {
        assert!(class.iter().all(|c| *c == class[0]), "{class:?}");
        assert!(classes[..i].iter().all(|other| other[0] != class[0]), "{class:?}");
    }
}
