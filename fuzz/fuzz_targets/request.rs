//! Whatever a client of the service sends, it is refused or read whole: what is read is sent again as the
//! same question.

#![no_main]

use foureyes::engine::judgements::{JudgementRequest, RequestFile, question_sha};
use foureyes::engine::prompt::Material;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|body: &[u8]| {
    let Ok(mut request) = serde_json::from_slice::<JudgementRequest>(body) else { return };
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
