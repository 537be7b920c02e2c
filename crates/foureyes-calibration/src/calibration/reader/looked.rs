//! What labels state of how their records were chosen.

/// Strata as bits: there are few, and those beyond the last bit share it.
pub(super) type Bits = u32;

pub(super) fn bit(stratum: u16) -> Bits {
    1 << stratum.min(31)
}

/// What labels state of what passed and the plan leaves aside.
#[derive(Debug, Clone, Copy)]
pub(super) struct Looked {
    /// The smallest probability.
    pub(super) smallest: f64,
    /// Strata that have such labels.
    pub(super) stated: Bits,
    /// Strata of which a label states that all of them are labelled.
    pub(super) whole: Bits,
    /// Strata of which a label states that it was drawn with a probability of 1.
    pub(super) certain: Bits,
    /// Strata of which a label states that it was drawn with a smaller one.
    pub(super) thin: Bits,
    /// Strata of which anything passed while the plan left them aside.
    pub(super) there: Bits,
}

impl Looked {
    pub(super) const NOTHING: Self =
        Self { smallest: f64::INFINITY, stated: 0, whole: 0, certain: 0, thin: 0, there: 0 };

    /// Whether each of these strata that is there has a label. Where the plan draws from the others it
    /// may be that nothing of these is there; where it draws nothing at all, a label must state something.
    pub(super) fn tells(&self, left: Bits, drawn: bool) -> bool {
        (drawn || self.stated != 0) && left & self.there & !self.stated == 0
    }

    /// What labels of both state.
    pub(super) fn join(self, other: Self) -> Self {
        Self {
            smallest: self.smallest.min(other.smallest),
            stated: self.stated | other.stated,
            whole: self.whole | other.whole,
            certain: self.certain | other.certain,
            thin: self.thin | other.thin,
            there: self.there | other.there,
        }
    }
}
