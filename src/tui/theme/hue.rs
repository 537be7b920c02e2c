//! Lightness, chroma and hue of a colour, as people see them.
//!
//! OKLab, as published by Björn Ottosson in "A perceptual color space for image processing"
//! (2020), on linear sRGB (IEC 61966-2-1).

/// A colour in OKLab: lightness 0 to 1, and two opponent axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lab {
    /// Lightness, 0 black to 1 white.
    pub(super) l: f64,
    a: f64,
    b: f64,
}

impl Lab {
    pub(super) fn from_rgb(rgb: [u8; 3]) -> Self {
        let [r, g, b] = rgb.map(linear);
        let long = (0.412_221_470_8 * r + 0.536_332_536_3 * g + 0.051_445_992_9 * b).cbrt();
        let middle = (0.211_903_498_2 * r + 0.680_699_545_1 * g + 0.107_396_956_6 * b).cbrt();
        let short = (0.088_302_461_9 * r + 0.281_718_837_6 * g + 0.629_978_700_5 * b).cbrt();
        Self {
            l: 0.210_454_255_3 * long + 0.793_617_785_0 * middle - 0.004_072_046_8 * short,
            a: 1.977_998_495_1 * long - 2.428_592_205_0 * middle + 0.450_593_709_9 * short,
            b: 0.025_904_037_1 * long + 0.782_771_766_2 * middle - 0.808_675_766_0 * short,
        }
    }

    /// Colourfulness: 0 for greys, about 0.1 to 0.3 for what is called red or green.
    pub(super) fn chroma(self) -> f64 {
        self.a.hypot(self.b)
    }

    /// Angle of the hue in degrees, 0 to 360: red 29, yellow 110, green 142, cyan 195, blue 264.
    pub(super) fn hue(self) -> f64 {
        self.b.atan2(self.a).to_degrees().rem_euclid(360.0)
    }

    /// How unlike two colours look; 0 is equal, 1 is black and white.
    pub(super) fn distance(self, other: Self) -> f64 {
        (self.l - other.l).hypot((self.a - other.a).hypot(self.b - other.b))
    }
}

/// Contrast of two colours, 1 to 21 (WCAG 2.2, "contrast ratio").
pub(super) fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
    let luminance = |rgb: [u8; 3]| {
        let [r, g, b] = rgb.map(linear);
        0.2126 * r + 0.7152 * g + 0.0722 * b
    };
    let (a, b) = (luminance(one), luminance(other));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

fn linear(channel: u8) -> f64 {
    let v = f64::from(channel) / 255.0;
    if v <= 0.040_45 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_has_no_hue_and_primaries_have_known_angles() {
        let white = Lab::from_rgb([255, 255, 255]);
        assert!((white.l - 1.0).abs() < 1e-4 && white.chroma() < 1e-4);
        for (rgb, hue) in [([255, 0, 0], 29.2), ([0, 255, 0], 142.5), ([0, 0, 255], 264.1)] {
            assert!(
                (Lab::from_rgb(rgb).hue() - hue).abs() < 0.1,
                "{rgb:?} at {}",
                Lab::from_rgb(rgb).hue()
            );
        }
        assert!((contrast([0; 3], [255; 3]) - 21.0).abs() < 1e-9);
        assert!((white.distance(Lab::from_rgb([0, 0, 0])) - 1.0).abs() < 1e-3);
    }
}
