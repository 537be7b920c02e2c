//! Signs and the pieces of charts, in Unicode and in ASCII.

use super::Sign;

/// What the console draws with besides text; each piece is one column wide.
#[derive(Debug, PartialEq, Eq)]
pub struct Glyphs {
    signs: [&'static str; 6],
    bars: &'static [&'static str],
    sparks: &'static [&'static str],
    heats: &'static [&'static str],
    /// In front of the row under the cursor.
    pub cursor: &'static str,
    /// In front of a marked row.
    pub marked: &'static str,
    /// In front of a box that blocks.
    pub blocks: &'static str,
    /// In front of a box that only advises.
    pub advisory: &'static str,
    /// In front of an item of a list.
    pub bullet: &'static str,
    /// In front of what stopped a push.
    pub stopped: &'static str,
    /// In place of an outcome that is hidden.
    pub hidden: &'static str,
    /// In front of the age of what came since the last look.
    pub new: &'static str,
    /// Behind the head of the column that a list is ordered by.
    pub sorted: &'static str,
    /// The same where the order is reversed.
    pub reversed: &'static str,
    /// Between two things in one line.
    pub separator: &'static str,
    /// Where text was cut.
    pub ellipsis: &'static str,
    /// In front of what is unfolded.
    pub open: &'static str,
    /// In front of what is folded.
    pub closed: &'static str,
    /// More above; what rises.
    pub up: &'static str,
    /// More below; what falls.
    pub down: &'static str,
    /// From, to.
    pub arrow: &'static str,
    /// In front of text from logs and models, and the track of a scroll bar.
    pub gutter: &'static str,
    /// The handle of a scroll bar.
    pub thumb: &'static str,
    /// A line across.
    pub rule: &'static str,
    /// The empty part of a gauge.
    pub track: &'static str,
    /// The interval on a gauge.
    pub interval: &'static str,
    /// The threshold on a gauge.
    pub threshold: &'static str,
    /// The threshold in a chart over time.
    pub limit: &'static str,
    /// Before a difference that chance may explain.
    pub chance: &'static str,
    /// Before a negative difference.
    pub minus: &'static str,
    /// Where there are no data, in charts; a zero is drawn otherwise.
    pub nothing: &'static str,
    /// What works now, one picture after the other.
    pub spinner: &'static [&'static str],
    /// Whether lines are read out: then there are words in place of bars, numbers of lines and signs of a diff.
    pub is_spoken: bool,
}

impl Glyphs {
    /// For terminals with a usual font.
    pub const UNICODE: Self = Self {
        signs: ["✔ GO", "✖ NO-GO", "? UNDET", "◆ override", "◆ overridden", "◇ memories"],
        bars: &["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"],
        sparks: &["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
        heats: &[" ", "░", "▒", "▓", "█"],
        cursor: "▸",
        marked: "●",
        blocks: "●",
        advisory: "○",
        bullet: "•",
        stopped: "■",
        hidden: "░",
        new: "•",
        sorted: "▾",
        reversed: "▴",
        separator: "·",
        ellipsis: "…",
        open: "▾",
        closed: "▸",
        up: "▲",
        down: "▼",
        arrow: "→",
        gutter: "│",
        thumb: "┃",
        rule: "─",
        track: "░",
        interval: "─",
        threshold: "┃",
        limit: "┄",
        chance: "≈",
        minus: "−",
        nothing: "·",
        spinner: &["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
        is_spoken: false,
    };

    /// For terminals without one, and for those who prefer it.
    pub const ASCII: Self = Self {
        signs: ["+ GO", "x NO-GO", "? UNDET", "# override", "# overridden", "o memories"],
        bars: &["#"],
        sparks: &[" ", ".", ":", "-", "=", "+", "*", "#"],
        heats: &[" ", ".", ":", "*", "#"],
        cursor: ">",
        marked: "*",
        blocks: "*",
        advisory: ".",
        bullet: "*",
        stopped: "*",
        hidden: "%",
        new: "n",
        sorted: "v",
        reversed: "^",
        separator: "-",
        ellipsis: "~",
        open: "v",
        closed: ">",
        up: "^",
        down: "v",
        arrow: ">",
        gutter: "|",
        thumb: "#",
        rule: "-",
        track: ".",
        interval: "-",
        threshold: "|",
        limit: "-",
        chance: "=",
        minus: "-",
        nothing: "_",
        spinner: &["|", "/", "-", "\\"],
        is_spoken: false,
    };

    /// For lines that are read out: no sign where its word says all, and nothing before a text from outside
    /// but blanks.
    pub const LINES: Self = Self {
        signs: ["GO", "NO-GO", "UNDETERMINED", "override", "overridden", "memories"],
        gutter: "",
        is_spoken: true,
        sorted: "",
        reversed: "reversed",
        ..Self::ASCII
    };

    /// The mark of an outcome and its word: `✔ GO`. There is no mark without a word.
    pub fn sign(&self, sign: Sign) -> &'static str {
        let [go, no_go, undetermined, decision, overridden, memories] = self.signs;
        match sign {
            Sign::Go => go,
            Sign::NoGo => no_go,
            Sign::Undetermined => undetermined,
            Sign::Override => decision,
            Sign::Overridden => overridden,
            Sign::Memories => memories,
        }
    }

    /// The mark alone, where its word stands beside it: `✔`.
    pub fn mark(&self, sign: Sign) -> &'static str {
        self.sign(sign).split(' ').next().unwrap_or_default()
    }

    /// A bar of at most `width` columns for a share of 0 to 1; shares outside are cut. None where lines are read out.
    ///
    /// More than nothing is never drawn as nothing, and less than all never as all, where there
    /// is more than one step to draw with.
    pub fn bar(&self, share: f64, width: u16) -> String {
        let steps = self.bars.len();
        let all = usize::from(width) * steps;
        if self.is_spoken || all == 0 || share.is_nan() || share <= 0.0 {
            return String::new();
        }
        let most = if share < 1.0 { (all - 1).max(1) } else { all };
        // A float becomes the nearest whole number inside the bounds.
        let filled = ((share.min(1.0) * all as f64).round() as usize).clamp(1, most);
        let full = self.bars.last().copied().unwrap_or_default();
        let rest = (filled % steps).checked_sub(1).and_then(|i| self.bars.get(i));
        full.repeat(filled / steps) + rest.copied().unwrap_or_default()
    }

    /// A piece of a sparkline: the share 0 is the lowest level, 1 the highest; none is no data.
    pub fn spark(&self, share: Option<f64>) -> &'static str {
        self.level(self.sparks, share)
    }

    /// A cell of a heat map: the share 0 is blank, more is never blank; none is no data.
    pub fn heat(&self, share: Option<f64>) -> &'static str {
        let share = share.filter(|s| !s.is_nan());
        let least = 1.0 / self.heats.len() as f64;
        self.level(self.heats, share.map(|s| if s > 0.0 { s.max(least) } else { s }))
    }

    fn level(&self, levels: &[&'static str], share: Option<f64>) -> &'static str {
        let Some(share) = share.filter(|s| !s.is_nan()) else { return self.nothing };
        // Equal slices, and the highest value is in the highest one.
        let slice = (share.clamp(0.0, 1.0) * levels.len() as f64) as usize;
        levels.get(slice).or(levels.last()).copied().unwrap_or(self.nothing)
    }
}

#[cfg(test)]
#[path = "glyphs_tests.rs"]
mod tests;
