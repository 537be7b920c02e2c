//! Whatever a client of the service sends, it is refused or read whole: what is read is sent again as the
//! same question.

#![no_main]

use foureyes::engine::judgements::{AnyRequest, JudgementRequest, RequestFile, question_sha};
use foureyes::engine::prompt::Material;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|body: &[u8]| {
    let mut request = match AnyRequest::read(body) {
        Ok(AnyRequest::Verdict(request)) => request,
        Ok(AnyRequest::Choice(request)) => {
            if request.check().is_ok() {
                let text = serde_json::to_string(&request).expect("a request is JSON");
                let again = AnyRequest::read(text.as_bytes()).expect("it was read before");
                let AnyRequest::Choice(again) = again else { panic!("it is of another kind") };
                assert_eq!(again, request);
                assert_eq!(again.question_sha(), request.question_sha());
            }
            return;
        }
        Err(_) => return,
    };
    let Ok(files) = request.take_files() else { return };
    request.files = files.iter().map(RequestFile::new).collect();
    let text = serde_json::to_string(&request).expect("a request is JSON");
    let mut again: JudgementRequest = serde_json::from_str(&text).expect("it was read before");
    let same = again.take_files().expect("it was taken before");
    assert_eq!(files, same);
    let sha = |files: &[_]| {
        let content = Material::new(files).sha();
        question_sha(request.kind, request.tier, &content, &request.sections)
    };
    assert_eq!(sha(&files), sha(&same));
});
