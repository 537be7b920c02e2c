//! The JSON Schemas of records, for whoever reads the logs.

use super::{PickRecord, PushRecord, TaskRecord};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};

/// The JSON Schema of a record of a push.
pub fn schema() -> Schema {
    of::<PushRecord>()
}

/// The JSON Schema of a record of a task, in either vocabulary.
pub fn task_schema() -> Schema {
    of::<TaskRecord>()
}

/// The JSON Schema of a record of memories picked for an agent.
pub fn pick_schema() -> Schema {
    of::<PickRecord>()
}

fn of<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<T>()
}
