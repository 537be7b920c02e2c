use super::*;
use rusqlite::{Connection, params};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A directory of memories and a cache.
struct Place {
    root: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir_all(root.path().join("memories")).unwrap();
        Self { root }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join("memories").join(name)
    }

    fn cache(&self) -> PathBuf {
        self.root.path().join("cache")
    }

    fn directory(&self) -> Directory {
        Directory::open(&self.path("")).unwrap()
    }

    fn write(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        fs::write(self.path(name), text).unwrap();
    }

    fn update(&self) -> Updated {
        update(&self.directory(), &self.cache(), patience(), patience()).unwrap()
    }

    fn index_path(&self) -> PathBuf {
        index_path(&self.cache(), &self.directory())
    }

    fn paths(&self, text: &str, scope: Scope) -> Vec<String> {
        let found = search(&self.directory(), &self.cache(), &Query::new(text), scope, 20).unwrap();
        assert_eq!(found.method, Method::FullText);
        found.hits.into_iter().map(|hit| hit.path).collect()
    }

    /// Sets the time of a change into the past: what changed just now is always looked at.
    fn age(&self, name: &str) {
        let old = std::time::SystemTime::now() - Duration::from_secs(3600);
        fs::File::options().write(true).open(self.path(name)).unwrap().set_modified(old).unwrap();
    }
}

fn patience() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % most
    }
}

const WORDS: [&str; 40] = [
    "deploy",
    "deployment",
    "rollback",
    "database",
    "migration",
    "token",
    "retry",
    "timeout",
    "cache",
    "caching",
    "queue",
    "worker",
    "billing",
    "invoice",
    "naïve",
    "über",
    "schema",
    "index",
    "login",
    "session",
    "cookie",
    "header",
    "proxy",
    "nginx",
    "docker",
    "build",
    "pipeline",
    "secret",
    "rotate",
    "alert",
    "metric",
    "trace",
    "latency",
    "budget",
    "quota",
    "北京",
    "release",
    "changelog",
    "test",
    "flaky",
];

fn text(numbers: &mut Numbers, most: usize) -> String {
    let count = 1 + numbers.below(most);
    (0..count).map(|_| WORDS[numbers.below(WORDS.len())]).collect::<Vec<_>>().join(" ")
}

/// A directory of so many memories, and what is in it: path, title, tags, body.
fn planted(place: &Place, count: usize) -> Vec<[String; 4]> {
    let mut numbers = Numbers(7);
    let (mut rows, mut listing) =
        (Vec::new(), "| Title | Tags | Category | Path |\n|-|-|-|-|\n".to_owned());
    for n in 0..count {
        let (title, body) = (text(&mut numbers, 6), text(&mut numbers, 60));
        let tags = [WORDS[numbers.below(40)], WORDS[numbers.below(40)]];
        let path = format!("m/{n:05}.md");
        place.write(&path, &format!("---\ntitle: other\n---\n{body}\n"));
        listing += &format!("| {title} | {}, {} | note | {path} |\n", tags[0], tags[1]);
        let tags = if tags[0] == tags[1] { tags[0].to_owned() } else { tags.join("\n") };
        rows.push([path, title, tags, body]);
    }
    place.write("index.md", &listing);
    rows
}

#[test]
fn results_equal_those_of_bm25_by_hand_on_200_queries() {
    let place = Place::new();
    let rows = planted(&place, 400);
    assert_eq!((place.update().total, place.update().added), (400, 0));
    let peer = Connection::open_in_memory().unwrap();
    peer.execute_batch(
        "CREATE VIRTUAL TABLE head USING fts5(path UNINDEXED, title, tags);
         CREATE VIRTUAL TABLE whole USING fts5(path UNINDEXED, title, tags, body);",
    )
    .unwrap();
    for [path, title, tags, body] in &rows {
        peer.execute("INSERT INTO head VALUES (?1, ?2, ?3)", params![path, title, tags]).unwrap();
        peer.execute("INSERT INTO whole VALUES (?1, ?2, ?3, ?4)", params![path, title, tags, body])
            .unwrap();
    }
    let mut numbers = Numbers(99);
    let (index, mut found) = (Index::open(&place.index_path()).unwrap(), 0);
    for number in 0..200 {
        let words = text(&mut numbers, 5);
        let (scope, table, limit) =
            if number % 2 == 0 { (Scope::Head, "head", 15) } else { (Scope::Whole, "whole", 20) };
        let mut by_hand: Vec<&str> = words.split(' ').collect();
        by_hand.sort_unstable();
        by_hand.dedup();
        let by_hand: Vec<_> = by_hand
            .iter()
            .map(|w| if w.chars().count() < 3 { format!("\"{w}\"") } else { format!("\"{w}\" *") })
            .collect();
        let sql = format!(
            "SELECT path, -bm25({table}) FROM {table} WHERE {table} MATCH ?1 ORDER BY bm25({table}), path LIMIT {limit}"
        );
        let mut statement = peer.prepare(&sql).unwrap();
        let expected: Vec<(String, f64)> = statement
            .query_map([by_hand.join(" OR ")], |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap()
            .map(Result::unwrap)
            .collect();
        let hits = index.search(&Query::new(&words), scope, limit).unwrap();
        found += hits.len();
        // The order of words may move the last bit of a sum.
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * a.abs().max(1e-9);
        let scores = hits.iter().zip(&expected).all(|(hit, (_, score))| close(hit.score, *score));
        assert!(scores && hits.len() == expected.len(), "{words}: {hits:?} {expected:?}");
        let same = |hit: &Hit, (path, score): &(String, f64)| {
            // Equal but for the last bit, two may change places.
            hit.path == *path
                || expected.iter().any(|(p, s)| *p == hit.path && close(*s, *score))
                || close(expected.last().unwrap().1, *score)
        };
        assert!(hits.iter().zip(&expected).all(|(hit, one)| same(hit, one)), "{words}");
        assert!(hits.iter().zip(1..).all(|(hit, rank)| hit.rank == rank));
    }
    assert!(found > 2_000, "{found}");
}

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
