//! SSH to a box, through the user's own ssh program and configuration.
