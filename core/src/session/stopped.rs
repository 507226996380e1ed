//! A session within a computation that has stopped: the names at that place have values.

use super::{Session, SessionValue, Shown};
use crate::lower::{Frame, Stop};
use crate::types::env;
use crate::types::ty::Scheme;
use crate::value::Value;
use std::sync::Arc;

/// A place where a computation has stopped, with the values that it has given.
#[derive(Clone)]
pub struct Stopped {
    stop: Stop,
    values: Vec<Value>,
}

impl Stopped {
    /// What has been given at this place.
    pub fn new(stop: Stop, values: Vec<Value>) -> Stopped {
        Stopped { stop, values }
    }

    /// The places, that of the `#[break]` first, then those of the calls that led there.
    pub fn frames(&self) -> &[Frame] {
        &self.stop.frames
    }

    /// The values of the frame of this number, name by name.
    fn values_of(&self, number: usize) -> Vec<SessionValue> {
        let frames = &self.stop.frames;
        let leaves = |frame: &Frame| frame.names.iter().map(|(_, _, leaves)| leaves).sum::<usize>();
        let mut at: usize = frames.iter().take(number).map(leaves).sum();
        let mut values = Vec::new();
        for (id, ty, count) in frames.get(number).iter().flat_map(|frame| &frame.names) {
            let leaves = self.values.iter().skip(at).take(*count).cloned().collect();
            at += count;
            values.push(SessionValue { id: id.clone(), ty: ty.clone(), leaves });
        }
        values
    }
}

impl Session {
    /// The session in which the names of the frame of this number are in scope, and these with their types and values.
    pub fn at(&self, stopped: &Stopped, number: usize) -> (Session, Vec<(String, String, Shown)>) {
        let mut session = self.clone();
        let mut shown = Vec::new();
        for value in stopped.values_of(number) {
            let scheme = Scheme::mono(value.ty.clone());
            let name = value.id.name.clone();
            let text = value.ty.to_string();
            shown.push((name.to_string(), text, Shown::new(None, &value.ty, value.leaves.clone(), &self.env)));
            session.env.scope.bind(name, env::Value::Bound(value.id.clone(), Arc::new(scheme)));
            session.values.retain(|known| known.id.num != value.id.num);
            session.values.push(value);
        }
        (session, shown)
    }
}
