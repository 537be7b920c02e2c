//! The forms of the report.

use super::*;
use foureyes::text::separated;

#[test]
fn plain_text_fits_eighty_columns_and_names_every_number() {
    let world = World::new();
    world.window();
    world.label_all();
    let report = world.report(0, LENIENT_FILE);
    let plain = world.good(&[&["readiness"], LENIENT_FILE].concat());
    for line in plain.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let lines: Vec<&str> = plain.lines().take(3).collect();
    assert!(lines.contains(&"READY"), "{lines:?}");
    // A rule that is waived is not met.
    let waived = "All that is not waived is met, and nothing else blocks READY.";
    for part in [waived, "Evidence up to ", "Positive = NO-GO", "Without statistics", "What next"] {
        assert!(plain.contains(part), "{part}");
    }
    assert!(!plain.contains("Every gated KPI is met"), "{plain}");
    let markdown = world.good(&[&["readiness"], LENIENT_FILE, &["--markdown", "-"]].concat());
    let html = world.good(&[&["readiness"], LENIENT_FILE, &["--html", "-"]].concat());
    for kpi in report["kpis"].as_array().unwrap() {
        let estimate = kpi["estimate"].as_f64().unwrap();
        let shown = match kpi["id"] == "median_latency" {
            true => format!("{estimate:.2} s"),
            false => format!("{:.1} %", estimate * 100.0),
        };
        for form in [&plain, &markdown, &html] {
            assert!(form.contains(&shown), "{kpi}: {shown}");
        }
    }
    let reasons = report["kpis"].as_array().unwrap().iter().filter_map(|k| k["reason"].as_str());
    let reasons: Vec<&str> = reasons.collect();
    assert!(reasons.iter().any(|r| r.starts_with("longest outage: ")), "{reasons:?}");
    for form in [&plain, &markdown, &html] {
        let one = form.split_whitespace().collect::<Vec<_>>().join(" ").replace("&#39;", "'");
        assert!(reasons.iter().all(|reason| one.contains(reason)), "{reasons:?}\n{form}");
        assert!(!one.contains("reason: longest outage"), "a number needs none");
    }
    let calibration = world.good(&[&["calibration"], LENIENT_FILE].concat());
    let mut ranges = 0;
    for range in report["kpis"].as_array().unwrap().iter().map(|k| &k["undetermined"]) {
        let Some((from, to)) = range["from"].as_f64().zip(range["to"].as_f64()) else { continue };
        ranges += 1;
        let (from, to) = (from * 100.0, to * 100.0);
        let said = format!("{from:.1} % if every UNDETERMINED had been right, {to:.1} % if wrong");
        for form in [&plain, &markdown, &html, &calibration] {
            let one = form.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(one.contains(&said), "{said}\n{form}");
        }
    }
    assert!(ranges > 0, "some evaluations of closed days are UNDETERMINED");
    let poor = &report["prevalence"];
    let share = |key: &str| format!("{:.1}", poor[key].as_f64().unwrap() * 100.0);
    let corrected = format!("{} %, {} to {} %", share("estimate"), share("lower"), share("upper"));
    let raw = format!("{} %, {} to {} %", share("raw"), share("raw_lower"), share("raw_upper"));
    let [flagged, contents] = ["flagged", "contents"].map(|key| poor[key].as_u64().unwrap());
    let of = format!("{} of {} contents", separated(flagged), separated(contents));
    for form in [&plain, &markdown, &html] {
        let one = form.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in ["Prevalence of poor content", &corrected, &raw, &of] {
            assert!(one.contains(part), "{part}\n{form}");
        }
    }
    // Everything is labelled with the truth: what is poor is what was planted.
    let days: Vec<&str> =
        report["days"].as_array().unwrap().iter().map(|d| d["day"].as_str().unwrap()).collect();
    let judged = world.truth.iter().filter(|t| t.outcome != "undetermined");
    let judged = judged.filter(|t| days.contains(&t.day.as_str()));
    let contents: HashMap<&str, &str> =
        judged.map(|t| (t.commit.as_str(), t.truth.as_str())).collect();
    let poor_ones = contents.values().filter(|truth| **truth == "poor").count();
    let planted = poor_ones as f64 / contents.len() as f64;
    let estimate = poor["estimate"].as_f64().unwrap();
    assert!((estimate - planted).abs() < 0.01, "{estimate} {planted}");
    // A picture of each KPI, one of the days, and one of each rate but the median over time.
    assert_eq!(html.matches("role=\"img\"").count(), 8 + 1 + 7);
    for outside in ["http:", "https:", "<script", "<link", "<img", "src="] {
        assert!(!html.contains(outside), "{outside}");
    }
}

/// What stands between the tags of a kind, without the tags inside of it.
fn inside(html: &str, tag: &str) -> Vec<String> {
    let (open, close) = (format!("<{tag}"), format!("</{tag}>"));
    let bare = |text: &str| {
        let pieces = text.split('<').map(|p| p.split_once('>').map_or(p, |(_, rest)| rest));
        pieces.collect::<Vec<_>>().join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let after = html.split(&open).skip(1).filter(|p| p.starts_with([' ', '>']));
    after.map(|p| bare(&format!("<{}", p.split(&close).next().unwrap()))).collect()
}

#[test]
fn html_report_begins_with_answer_and_names_tables_and_charts() {
    let world = World::new();
    world.window();
    world.label_all();
    let both = world
        .run(&[&["readiness"], LENIENT_FILE, &["--html", "r.html", "--markdown", "r.md"]].concat());
    let read = |name| std::fs::read_to_string(world.home.path().join(name)).unwrap();
    assert_eq!((both.code, both.out.as_str()), (0, ""), "{}", both.err);
    assert!(read("r.md").starts_with("# May the judge block pushes?\n\n**READY**"));
    let html = read("r.html");
    let headings = [
        "What next",
        "Blocks and waivers",
        "KPIs",
        "Window",
        "For information",
        "Without statistics",
        "Outcomes by day",
        "Rates over time",
        "Days",
        "Judges",
        "Label quality",
        "Confusion matrix",
        "Agreement",
    ];
    let found = inside(&html, "h2");
    assert_eq!(found[..headings.len()], headings);
    assert_eq!(found[found.len() - 3..], ["Waivers", "Policy", "Evidence"]);
    assert_eq!(inside(&html, "h1"), ["May the judge block pushes?"]);
    assert!(html.contains("<p class=\"badge go\"><span aria-hidden=\"true\">✔</span> READY</p>"));
    assert_eq!(inside(&html, "dt"), ["Period", "Boxes", "Judge", "Labels", "Policy", "Made"]);
    let tables: Vec<&str> = html.split("<table").skip(1).collect();
    assert_eq!(tables.len(), 8);
    let heads = |t: &&str| inside(t.split("</table>").next().unwrap(), "th");
    assert!(tables.iter().all(|t| heads(t).len() > 2 && t.contains("scope=\"col\"")));
    let titles = inside(&html, "title");
    for title in
        ["Evaluations per day by outcome", "false negative rate over time", "GO rate over time"]
    {
        assert!(titles.iter().any(|t| t == title), "{title}: {titles:?}");
    }
    // Every picture has an axis with numbers, and is named for whoever cannot see it.
    let pictures: Vec<&str> = html.split("<svg ").filter(|p| p.contains("role=\"img\"")).collect();
    for picture in pictures {
        let picture = picture.split("</svg>").next().unwrap();
        assert!(picture.contains("aria-label=") && picture.contains("class=\"axis\""), "{picture}");
        assert!(inside(picture, "text").len() > 2, "{picture}");
    }
    let made = world.report(0, LENIENT_FILE)["generated"].as_str().unwrap()[..16].replace('T', " ");
    assert!(html.contains(&format!("{made} UTC")) && !html.contains("00.000000Z"));
    let same =
        world.run(&[&["readiness"], LENIENT_FILE, &["--html", "-", "--markdown", "-"]].concat());
    assert!(same.code == 64 && same.err.contains("have the same target"), "{}", same.err);
}

#[test]
fn names_from_outside_stay_text_in_every_form() {
    let world = World::new();
    let hostile = "<img src=x onerror=alert(1)>\u{1b}[31m|`x`\u{202e}";
    world.started(19, 19);
    world.label("a<b>&c.jsonl", |t| {
        let mut label = census(t, &t.truth);
        label["reviewer"] = json!(hostile);
        Some(label)
    });
    world.good(&["gate", "window", &day(20), "--reviewer", hostile]);
    for form in [&["--plain"][..], &["--markdown", "-"], &["--html", "-"], &["--json"]] {
        let out = world.run(&[&["readiness"], LENIENT_FILE, form].concat()).out;
        assert!(!out.contains(['\u{1b}', '\u{202e}']), "{form:?}");
        if form[0] == "--html" {
            assert!(!out.contains("<img") && out.contains("&lt;img"), "{out}");
        }
        if form[0] == "--markdown" {
            let line = out.lines().find(|l| l.contains("<img")).unwrap();
            let (ours, theirs) = line.split_once("``").unwrap();
            assert!(ours == "* `windows`: " && theirs.ends_with("``"), "{line}");
        }
    }
}
