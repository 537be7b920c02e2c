//! Which models an endpoint lists, in the shapes that endpoints send.

use super::tries::Tries;
use super::{Endpoint, Method};
use crate::provider::{Failure, FailureKind};
use serde_json::Value;
use tokio::time::Instant;

/// Status codes of an endpoint that runs and has no such list.
const UNLISTED: [u16; 3] = [404, 405, 501];

impl Endpoint {
    /// Asks for the names of the models; `None` of an endpoint that runs and lists none.
    ///
    /// # Errors
    /// Every way of getting no answer.
    pub(in crate::provider) async fn listed(
        &self,
        until: Instant,
    ) -> Result<Option<Vec<String>>, Failure> {
        let mut tries = Tries::new(self.allowance(until), self.base());
        loop {
            tries.begin().await?;
            let fault =
                match self.exchange((Method::GET, self.protocol.models), None, until, None).await {
                    Ok(incoming) if incoming.status == 200 => match names(&incoming.body) {
                        Some(names) => {
                            return Ok(Some(names.iter().map(|n| self.mask.text(n)).collect()));
                        }
                        None => self.no_answer(&incoming, "it lists no models", None),
                    },
                    Ok(incoming) if UNLISTED.contains(&incoming.status) => return Ok(None),
                    Ok(incoming) => self.refused(&incoming),
                    Err(broken) => self.broken(broken),
                };
            tries.after(fault).await?;
        }
    }

    /// The same, where a list is needed.
    ///
    /// # Errors
    /// Every way of getting no list.
    pub(in crate::provider) async fn models(&self, until: Instant) -> Result<Vec<String>, Failure> {
        let none = || Failure::new(FailureKind::Unavailable, "the endpoint lists no models");
        self.listed(until).await?.ok_or_else(none)
    }
}

/// The names in a list of models: `{"data": […]}` as OpenAI has it, `{"models": […]}` as Ollama and Gemini
/// have it, or the list alone. `None` of anything else.
fn names(body: &[u8]) -> Option<Vec<String>> {
    let whole: Value = serde_json::from_slice(body).ok()?;
    let lists = [whole.get("data"), whole.get("models"), Some(&whole)];
    let listed = lists.into_iter().flatten().find_map(Value::as_array)?;
    Some(listed.iter().filter_map(name).collect())
}

/// The name by which a model is asked for: a text, or of an object its `id`, `name` or `model`. An `id` that
/// is an address (`azureml://…`) is none.
fn name(model: &Value) -> Option<String> {
    let of = |key: &str| model.get(key).and_then(Value::as_str).filter(|name| !name.is_empty());
    let id = of("id").filter(|id| !id.contains("://"));
    let name = model.as_str().or(id).or_else(|| of("name")).or_else(|| of("model"));
    name.or_else(|| of("id")).map(str::to_owned)
}

/// Whether a listed name is that of the model that is asked for: Gemini lists `models/NAME`, Ollama a version
/// `NAME:latest` where none is asked for.
pub fn is_listed(wanted: &str, listed: &str) -> bool {
    listed == wanted
        || listed.strip_prefix("models/") == Some(wanted)
        || listed.strip_suffix(":latest") == Some(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_in_the_shapes_that_are_sent() {
        let of = |text: &str| names(text.as_bytes()).map(|names| names.join(" "));
        for (text, expected) in [
            (r#"{"object":"list","data":[{"id":"a"},{"id":"b"},{}]}"#, Some("a b")),
            (r#"[{"id":"a","name":"A"},{"name":"b"}]"#, Some("a b")),
            (r#"[{"id":"azureml://registries/x/models/a/versions/2","name":"a"}]"#, Some("a")),
            (r#"[{"id":"azureml://a"}]"#, Some("azureml://a")),
            (r#"["a","b",7,null]"#, Some("a b")),
            (
                r#"{"models":[{"name":"a:latest","model":"a:latest"},{"model":"b"}]}"#,
                Some("a:latest b"),
            ),
            (r#"{"models":[{"name":"models/a"}]}"#, Some("models/a")),
            (r#"{"models":["a"],"data":null}"#, Some("a")),
            (r#"{"data":[]}"#, Some("")),
            (r#"{"data":{"id":"a"}}"#, None),
            (r#"{"id":"a"}"#, None),
            (r#""a""#, None),
            ("<html>", None),
            ("", None),
        ] {
            assert_eq!(of(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn prefix_and_default_version_name_the_same_model() {
        for listed in ["m", "models/m", "m:latest"] {
            assert!(is_listed("m", listed), "{listed}");
        }
        for listed in ["m:7b", "x/m", "models/m2", "M"] {
            assert!(!is_listed("m", listed), "{listed}");
        }
        assert!(is_listed("models/m", "models/m") && !is_listed("models/m", "m"));
    }
}
