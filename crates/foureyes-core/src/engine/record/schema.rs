//! The JSON Schema of a record.

use super::PushRecord;
use schemars::Schema;
use schemars::generate::SchemaSettings;

/// The JSON Schema of a record, for whoever reads the logs.
pub fn schema() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<PushRecord>()
}
