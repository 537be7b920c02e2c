use super::planted_tests::{Place, patience, planted};
use super::*;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[test]
fn equal_scores_are_in_order_of_their_paths() {
    let place = Place::new();
    let mut listing = String::new();
    for name in ["b.md", "c.md", "a.md"] {
        place.write(name, "same");
        listing += &format!("- [Same title]({name})\n");
    }
    place.write("index.md", &listing);
    place.update();
    assert_eq!(place.paths("title", Scope::Head), ["a.md", "b.md", "c.md"]);
}

#[test]
fn hostile_queries_are_data() {
    let place = Place::new();
    planted(&place, 50);
    place.update();
    let long = "deploy \" OR ".repeat(100_000);
    for query in [
        "\" OR * NEAR(",
        "title:deploy",
        "-deploy",
        "^deploy",
        "NOT",
        "a\" OR \"",
        "({[*",
        "';--",
        "\0",
        &long,
    ] {
        let found =
            search(&place.directory(), &place.cache(), &Query::new(query), Scope::Whole, 20)
                .unwrap();
        assert_eq!(found.method, Method::FullText, "{query:.40}");
    }
    assert_eq!(place.paths("title:zzzz", Scope::Whole), [""; 0], "no column is a word");
    assert_eq!(place.paths("", Scope::Whole), [""; 0]);
    assert!(!place.paths("北京 NAÏVE", Scope::Head).is_empty());
    assert_eq!(place.paths("naive", Scope::Head), place.paths("NAÏVE", Scope::Head));
}

#[test]
fn only_what_changed_is_indexed_again_and_equals_an_index_made_anew() {
    let place = Place::new();
    planted(&place, 60);
    (0..60).for_each(|n| place.age(&format!("m/{n:05}.md")));
    assert_eq!(place.update().added, 60);
    let before = fs::read(place.index_path()).unwrap();
    assert_eq!(place.update(), Updated { total: 60, ..Updated::default() });
    assert_eq!(fs::read(place.index_path()).unwrap(), before, "nothing was written");
    place.write("m/00003.md", "zebra stripes");
    fs::remove_file(place.path("m/00004.md")).unwrap();
    let listing = fs::read_to_string(place.path("index.md")).unwrap();
    let listing =
        listing.lines().filter(|line| !line.contains("m/00005")).collect::<Vec<_>>().join("\n");
    place.write("new.json", "{\"title\":\"zebra\",\"content\":\"x\"}");
    place.write("index.md", &format!("{listing}\n\n- [A zebra](new.json) #animal\n"));
    let updated = place.update();
    assert_eq!((updated.total, updated.added, updated.changed, updated.removed), (59, 1, 1, 2));
    assert_eq!(updated.problems.len(), 1, "{:?}", updated.problems);
    assert_eq!(place.paths("zebra", Scope::Head), ["new.json"]);
    let queries = ["deploy", "token cache", "zebra", "schema index login"];
    let all = |place: &Place| {
        queries.map(|query| {
            let index = Index::open(&place.index_path()).unwrap();
            index.search(&Query::new(query), Scope::Whole, 20).unwrap()
        })
    };
    let updated = all(&place);
    fs::remove_dir_all(place.cache()).unwrap();
    place.update();
    assert_eq!(all(&place), updated);
}

/// A search after an update gives what a new index gives, wherever the file was damaged.
#[test]
fn index_that_is_damaged_anywhere_is_made_anew() {
    let place = Place::new();
    planted(&place, 120);
    place.update();
    let whole = fs::read(place.index_path()).unwrap();
    let queries = ["deploy", "token cache", "rollback retry"];
    let all = |place: &Place| queries.map(|query| place.paths(query, Scope::Whole));
    let expected = all(&place);
    let mut made_anew = 0;
    for (number, at) in (0..whole.len()).step_by(whole.len() / 40).enumerate() {
        let mut damaged = whole.clone();
        let end = (at + 2_000).min(whole.len());
        match number % 3 {
            0 => damaged[at..end].fill(0),
            1 => damaged[at..end].iter_mut().for_each(|byte| *byte ^= 0x5a),
            _ => damaged.truncate(at),
        }
        fs::write(place.index_path(), &damaged).unwrap();
        let updated = place.update();
        made_anew += usize::from(updated.added == 120);
        assert_eq!((updated.total, all(&place)), (120, expected.clone()), "damaged at {at}");
    }
    assert!(made_anew > 30, "{made_anew}");
}

#[test]
fn search_that_meets_damage_leaves_no_damaged_index() {
    let place = Place::new();
    planted(&place, 60);
    place.update();
    let mut bytes = fs::read(place.index_path()).unwrap();
    for damaged in [b"no database at all".to_vec(), {
        bytes[4096..].fill(0x5a);
        bytes
    }] {
        fs::write(place.index_path(), damaged).unwrap();
        let found =
            search(&place.directory(), &place.cache(), &Query::new("deploy"), Scope::Whole, 5);
        assert!(matches!(found.unwrap().method, Method::Keywords(_)));
        assert!(!place.index_path().exists());
        assert_eq!(place.update().added, 60);
    }
}

#[test]
fn change_within_the_grain_of_the_clock_is_found_by_its_hash() {
    let place = Place::new();
    place.write("a.md", "first");
    place.write("index.md", "- [A](a.md)\n");
    place.update();
    let meta = fs::metadata(place.path("a.md")).unwrap();
    place.write("a.md", "other");
    fs::File::options()
        .write(true)
        .open(place.path("a.md"))
        .unwrap()
        .set_modified(meta.modified().unwrap())
        .unwrap();
    assert_eq!(place.update().changed, 1);
    assert_eq!(place.paths("other", Scope::Whole), ["a.md"]);
}

#[test]
fn bad_memories_hide_no_good_one_and_have_their_place() {
    use std::os::unix::fs::symlink;
    let place = Place::new();
    place.write("good.md", "good");
    place.write("broken.json", "{\n\"title\": }");
    fs::write(place.path("latin.md"), b"one\ntwo \xff").unwrap();
    place.write("long.md", &"x".repeat((1 << 20) + 1));
    fs::write(place.root.path().join("outside.md"), "secret").unwrap();
    symlink(place.root.path().join("outside.md"), place.path("out.md")).unwrap();
    symlink(place.path("good.md"), place.path("in.md")).unwrap();
    symlink(place.root.path(), place.path("up")).unwrap();
    fs::create_dir(place.path("folder.md")).unwrap();
    let fifo = std::process::Command::new("mkfifo").arg(place.path("pipe.md")).status().unwrap();
    assert!(fifo.success());
    let names = [
        "broken.json",
        "latin.md",
        "long.md",
        "out.md",
        "up/outside.md",
        "folder.md",
        "pipe.md",
        "absent.md",
        "good.md",
        "in.md",
    ];
    place.write("index.md", &names.map(|name| format!("- [{name}]({name})\n")).concat());
    let updated = place.update();
    let problems: Vec<_> = updated.problems.iter().map(Problem::to_string).collect();
    assert_eq!(
        problems,
        [
            "broken.json:2: it is not valid JSON",
            "latin.md:2: it is not UTF-8",
            "long.md: it has more than 1048576 bytes",
            "out.md: a link leads out of the directory",
            "up/outside.md: a link leads out of the directory",
            "folder.md: it is not a file",
            "pipe.md: it is not a file",
            "absent.md: the file is not there",
        ]
    );
    assert_eq!(place.paths("good", Scope::Whole), ["good.md", "in.md"]);
}

#[test]
fn damaged_or_old_index_is_made_anew_and_until_then_keywords_are_searched() {
    let place = Place::new();
    planted(&place, 80);
    place.update();
    let whole = fs::read(place.index_path()).unwrap();
    let query = Query::new("deploy rollback");
    let found = |place: &Place| {
        search(&place.directory(), &place.cache(), &query, Scope::Head, 15).unwrap()
    };
    let good = found(&place);
    for damage in [whole[..whole.len() / 3].to_vec(), b"no index".to_vec(), Vec::new(), {
        let mut bytes = whole.clone();
        bytes[100..].fill(0xaa);
        bytes
    }] {
        fs::write(place.index_path(), &damage).unwrap();
        let by_words = found(&place);
        assert!(matches!(&by_words.method, Method::Keywords(_)) && !by_words.hits.is_empty());
        assert!(by_words.hits.windows(2).all(|two| two[0].score >= two[1].score));
        place.update();
        assert_eq!(found(&place), good);
    }
    fs::remove_file(place.index_path()).unwrap();
    assert_eq!(found(&place).method, Method::Keywords("there is no index yet".to_owned()));
}

#[test]
fn index_is_private_and_a_crashed_copy_is_removed() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    planted(&place, 5);
    place.update();
    let mode = |path: PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(place.index_path()), mode(place.cache().join("memories"))), (0o600, 0o700));
    fs::write(place.cache().join("memories/.tmpleft"), "half").unwrap();
    place.write("index.md", "- [A](m/00001.md)\n");
    place.update();
    let names: Vec<_> =
        fs::read_dir(place.cache().join("memories")).unwrap().map(|e| e.unwrap().path()).collect();
    assert_eq!(names, [place.index_path()]);
}

#[test]
fn reader_waits_for_no_update_and_update_for_no_reader() {
    let place = Place::new();
    planted(&place, 30);
    place.update();
    let lock = fs::File::open(place.cache().join("memories")).unwrap();
    lock.lock().unwrap();
    assert_eq!(
        place.paths("deploy", Scope::Head).is_empty(),
        place.paths("deploy", Scope::Head).is_empty()
    );
    let busy = update(&place.directory(), &place.cache(), Instant::now(), patience());
    assert!(matches!(busy, Err(IndexError::Busy)), "{busy:?}");
    drop(lock);
    let open = Index::open(&place.index_path()).unwrap();
    place.write("index.md", "- [Zebra](m/00001.md)\n");
    assert_eq!(place.update().total, 1);
    assert!(
        open.search(&Query::new("zebra"), Scope::Head, 5).unwrap().is_empty(),
        "it has the old one"
    );
    assert_eq!(place.paths("zebra", Scope::Head), ["m/00001.md"]);
    let late = update(
        &place.directory(),
        &place.cache(),
        patience(),
        Instant::now() - Duration::from_secs(1),
    );
    assert!(matches!(late, Err(IndexError::Time)), "{late:?}");
}

#[test]
fn many_updates_and_searches_at_the_same_time_all_succeed() {
    let place = Place::new();
    planted(&place, 40);
    place.update();
    std::thread::scope(|all| {
        for n in 0..3 {
            let place = &place;
            all.spawn(move || {
                for round in 0..10 {
                    place.write(&format!("m/{n:05}.md"), &format!("round {round}"));
                    place.update();
                }
            });
            all.spawn(move || (0..30).for_each(|_| drop(place.paths("deploy", Scope::Whole))));
        }
    });
    assert_eq!(place.update().total, 40);
}
