//! What clients send that has no text: it costs no call, whichever program the client is.

use super::{Service, body, model, push};
use foureyes::engine::judgements::RequestFile;
use foureyes::engine::prompt::JudgedFile;
use foureyes::engine::record::{Caveat, RecordError};

#[test]
fn content_without_a_text_costs_no_call_and_beside_one_is_no_go() {
    let model = model();
    let service = Service::start(&model, "");
    let token = service.token("one");
    for (text, error) in [
        ("", RecordError::Empty),
        ("\u{feff}\n", RecordError::Empty),
        ("/annex/objects/SHA256E-s12--00.md\n", RecordError::PromptMissing),
        ("$ANSIBLE_VAULT;1.1;AES256\n6231\n", RecordError::PromptMissing),
    ] {
        let evaluation = service.judged(&token, text).evaluation;
        assert_eq!((evaluation.verdict.as_str(), evaluation.error), ("UNDETERMINED", Some(error)));
    }
    assert!(model.requests().is_empty());
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x01\xff\xfe\x90\x91".to_vec();
    let mut request = push("a good text");
    let file = JudgedFile { path: b"a.png".to_vec(), bytes: png };
    request.files.push(RequestFile::new(&file));
    let reply = service.post(&token, &body(&request));
    let evaluation = service.verified(&reply, &request).evaluation;
    assert_eq!((evaluation.verdict.as_str(), evaluation.error), ("UNDETERMINED", None));
    assert!(evaluation.caveats.contains(&Caveat::ContentCut));
    assert!(evaluation.findings.contains("a.png is a PNG image"), "{}", evaluation.findings);
    assert_eq!(model.requests().len(), 1);
}
