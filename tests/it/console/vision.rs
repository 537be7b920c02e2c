//! How colours look: contrast, distance, and what dichromats see.

/// Red, green and blue as a screen takes them.
pub(super) type Rgb = [u8; 3];

/// Whose eyes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Eyes {
    /// All three kinds of cones.
    Trichromat,
    /// No cones for long waves.
    Protanope,
    /// No cones for middle waves.
    Deuteranope,
    /// No cones for short waves.
    Tritanope,
}

impl Eyes {
    pub(super) const ALL: [Self; 4] =
        [Self::Trichromat, Self::Protanope, Self::Deuteranope, Self::Tritanope];
}

type Vector = [f64; 3];
type Matrix = [Vector; 3];

/// Contrast of two colours, 1 to 21 (WCAG 2.2, "contrast ratio" and "relative luminance").
pub(super) fn contrast(one: Rgb, other: Rgb) -> f64 {
    let luminance = |c: Rgb| dot([0.2126, 0.7152, 0.0722], c.map(linear));
    let (a, b) = (luminance(one), luminance(other));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// Distance of two colours to some eyes, in units of CIE L*a*b* (1976, white of D65).
pub(super) fn distance(eyes: Eyes, one: Rgb, other: Rgb) -> f64 {
    let seen = |c: Rgb| lab(see(eyes, c.map(linear)));
    let (a, b) = (seen(one), seen(other));
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
}

/// What dichromats see: Brettel, Viénot and Mollon, "Computerized simulation of color appearance
/// for dichromats", J. Opt. Soc. Am. A 14 (1997), with its two half planes.
///
/// The matrices are that method for sRGB, on linear light, as libDaltonLens publishes them.
fn see(eyes: Eyes, colour: Vector) -> Vector {
    let (one, other, normal): (Matrix, Matrix, Vector) = match eyes {
        Eyes::Trichromat => return colour,
        Eyes::Protanope => (
            [
                [0.14980, 1.19548, -0.34528],
                [0.10764, 0.84864, 0.04372],
                [0.00384, -0.0054, 1.00156],
            ],
            [
                [0.14570, 1.16172, -0.30742],
                [0.10816, 0.85291, 0.03892],
                [0.00386, -0.00524, 1.00139],
            ],
            [0.00048, 0.00393, -0.00441],
        ),
        Eyes::Deuteranope => (
            [
                [0.36477, 0.86381, -0.22858],
                [0.26294, 0.64245, 0.09462],
                [-0.02006, 0.02728, 0.99278],
            ],
            [[0.37298, 0.88166, -0.25464], [0.25954, 0.63506, 0.1054], [-0.0198, 0.02784, 0.99196]],
            [-0.00281, -0.00611, 0.00892],
        ),
        Eyes::Tritanope => (
            [[1.01277, 0.13548, -0.14826], [-0.01243, 0.86812, 0.14431], [0.07589, 0.805, 0.11911]],
            [
                [0.93678, 0.18979, -0.12657],
                [0.06154, 0.81526, 0.1232],
                [-0.37562, 1.12767, 0.24796],
            ],
            [0.03901, -0.02788, -0.01113],
        ),
    };
    let plane = if dot(normal, colour) >= 0.0 { one } else { other };
    plane.map(|row| dot(row, colour).clamp(0.0, 1.0))
}

fn dot(a: Vector, b: Vector) -> f64 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

/// Linear light of a channel (IEC 61966-2-1).
fn linear(channel: u8) -> f64 {
    let v = f64::from(channel) / 255.0;
    if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
}

fn lab(rgb: Vector) -> Vector {
    let f =
        |t: f64| if t > 216.0 / 24389.0 { t.cbrt() } else { (24389.0 / 27.0 * t + 16.0) / 116.0 };
    let x = f(dot([0.412_456_4, 0.357_576_1, 0.180_437_5], rgb) / 0.950_47);
    let y = f(dot([0.212_672_9, 0.715_152_2, 0.072_175_0], rgb));
    let z = f(dot([0.019_333_9, 0.119_192_0, 0.950_304_1], rgb) / 1.088_83);
    [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
}

#[test]
fn contrast_is_that_of_the_published_examples() {
    assert!((contrast([0; 3], [255; 3]) - 21.0).abs() < 1e-9);
    assert!((contrast([0x77; 3], [255; 3]) - 4.48).abs() < 0.005);
    assert!((contrast([255, 0, 0], [255; 3]) - 4.0).abs() < 0.005);
}

#[test]
fn greys_look_the_same_to_all_and_confused_colours_close() {
    for eyes in Eyes::ALL {
        for grey in [0, 64, 128, 255] {
            let seen = lab(see(eyes, [grey; 3].map(linear)));
            let is = lab([grey; 3].map(linear));
            assert!((0..3).all(|i| (seen[i] - is[i]).abs() < 0.5), "{eyes:?} {grey}: {seen:?}");
        }
    }
    // Without this, a simulation that changes nothing would pass every test of a theme.
    for (eyes, one, other) in [
        (Eyes::Protanope, [0x87, 0x00, 0x00], [0x30, 0x30, 0x00]),
        (Eyes::Deuteranope, [0xaf, 0x5f, 0x00], [0x5f, 0x87, 0x00]),
        (Eyes::Tritanope, [0x00, 0x87, 0xff], [0x00, 0x9f, 0x9f]),
    ] {
        let (seen, is) = (distance(eyes, one, other), distance(Eyes::Trichromat, one, other));
        assert!(seen < 15.0 && is > 35.0, "{eyes:?}: {seen} of {is}");
    }
}
