use super::{Decision, MOST_TRIES, Policy, Trouble, Why, asked, asked_in_body, says_spent};
use proptest::prelude::*;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(600);

fn status(status: u16) -> Trouble {
    Trouble { status: Some(status), ..Trouble::default() }
}

fn again(decision: Decision) -> bool {
    matches!(decision, Decision::After(_))
}

#[test]
fn only_transient_failures_are_retried() {
    let again: Vec<u16> =
        (100..600).filter(|s| again(Policy::default().decide(1, &status(*s), 0.5, LONG))).collect();
    assert_eq!(again[..5], [408, 409, 425, 429, 498]);
    assert_eq!(again[5..], (500..600).collect::<Vec<u16>>());
    assert!(super::tests::again(Policy::default().decide(1, &Trouble::UNREACHED, 0.5, LONG)));
}

#[test]
fn unanswered_question_is_tried_eight_times_and_an_ended_connection_twice() {
    let tries = |trouble: &Trouble| {
        (1..).take_while(|n| again(Policy::default().decide(*n, trouble, 0.5, LONG))).count() + 1
    };
    assert_eq!(tries(&status(503)), MOST_TRIES as usize);
    assert_eq!(tries(&Trouble::UNREACHED), 8);
    assert_eq!(tries(&Trouble::ENDED), 2);
}

#[test]
fn pauses_double_up_to_their_bound_and_keep_callers_apart() {
    let policy = Policy::default();
    let whole = |calls| policy.pause(calls, 1.0).as_millis();
    assert_eq!([1, 2, 3, 4, 5, 6, 40].map(whole), [500, 1000, 2000, 4000, 8000, 8000, 8000]);
    assert_eq!(policy.pause(2, 0.0).as_millis(), 666);
    assert_eq!(policy.pause(1, 0.25), Duration::from_millis(375));
}

#[test]
fn requested_wait_is_kept_with_small_jitter() {
    let trouble = Trouble { asked: Some(Duration::from_secs(20)), ..status(429) };
    let Decision::After(wait) = Policy::default().decide(1, &trouble, 0.9, LONG) else {
        panic!("no second call");
    };
    assert!(wait >= Duration::from_secs(20) && wait <= Duration::from_secs(22), "{wait:?}");
}

#[test]
fn excessive_wait_gives_up_with_reason() {
    let trouble = Trouble { asked: Some(Duration::from_secs(3600)), ..status(429) };
    let decision = Policy::default().decide(1, &trouble, 0.5, Duration::from_secs(100_000));
    let Decision::GiveUp(why) = decision else { panic!("it waits") };
    assert_eq!(why.to_string(), "it asks to wait 3600 s, and 180 s are waited at most");
}

#[test]
fn a_wait_that_does_not_fit_into_the_time_is_not_begun() {
    let trouble = Trouble { asked: Some(Duration::from_secs(5)), ..status(503) };
    let decision = Policy::default().decide(1, &trouble, 0.0, Duration::from_millis(2500));
    let Decision::GiveUp(why) = decision else { panic!("it waits") };
    assert_eq!(why.to_string(), "a wait of 5.3 s does not fit into the 2.5 s that are left");
}

#[test]
fn without_balance_nothing_is_tried_again() {
    let trouble = Trouble { spent: true, ..status(429) };
    let decision = Policy::default().decide(1, &trouble, 0.5, LONG);
    assert_eq!(decision, Decision::GiveUp(Why::Spent));
}

#[test]
fn quota_errors_are_distinguished_from_rate_limits() {
    for gone in [
        r#"{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota"}}"#,
        r#"{"error":{"message":"Insufficient Balance","code":"invalid_request_error"}}"#,
        "Your credit balance is too low to access the API",
        r#"{"error":{"code":"1113","message":"余额不足或无可用资源包,请充值。"}}"#,
        "This request requires more credits: payment required",
        r#"{"error":{"code":"billing_hard_limit_reached"}}"#,
        "You have run out of credits",
    ] {
        assert!(says_spent(gone), "{gone}");
    }
    for passes in [
        "Rate limit reached for requests per minute: limit 3. Please try again in 19.56s.",
        "Quota exceeded for metric GenerateRequestsPerMinute, limit exhausted",
        "litellm.RateLimitError: this is a mock rate limit error",
        "too many requests; load balancer is busy",
        "You exceeded your current quota. Please retry in 34.1s.",
        "Resource has been exhausted (e.g. check quota).",
        "messages.0.content: Field required; the credit of the author",
        "quota metric tokens per minute exceeded: exhausted",
        "",
    ] {
        assert!(!says_spent(passes), "{passes}");
    }
}

fn wanted(milliseconds: Option<&str>, after: Option<&str>) -> Option<Duration> {
    let headers = [("retry-after-ms", milliseconds), ("retry-after", after)];
    of(&headers
        .map(|(name, value)| value.map(|value| (name, value)))
        .into_iter()
        .flatten()
        .collect::<Vec<_>>())
}

fn of(headers: &[(&str, &str)]) -> Option<Duration> {
    asked(headers.iter().copied(), "2026-11-06T08:49:37Z".parse().unwrap())
}

#[test]
fn end_of_a_limit_is_read_as_providers_write_it() {
    let ms = |ms| Some(Duration::from_millis(ms));
    for (headers, wait) in [
        (&[("x-ratelimit-reset-tokens-minute", "4.2")][..], ms(4_200)),
        (&[("x-ratelimit-reset-requests", "4s")], ms(4_000)),
        (&[("x-ratelimit-reset-requests", "1m2.5s")], ms(62_500)),
        (&[("x-ratelimit-reset-tokens", "300ms")], ms(300)),
        (&[("llm_provider-retry-after", "7")], ms(7_000)),
        (&[("x-ratelimit-reset", "1793954987")], ms(10_000)),
        (&[("x-ratelimit-reset", "1793954987000")], ms(10_000)),
        (&[("anthropic-ratelimit-requests-reset", "2026-11-06T08:49:50Z")], ms(13_000)),
        (&[("retry-after", "3"), ("x-ratelimit-reset-requests", "40s")], ms(3_000)),
        // Which limit was hit is named by what remains of it.
        (
            &[
                ("x-ratelimit-remaining-requests-day", "900"),
                ("x-ratelimit-reset-requests-day", "36000"),
                ("x-ratelimit-remaining-tokens-minute", "0"),
                ("x-ratelimit-reset-tokens-minute", "12"),
            ],
            ms(12_000),
        ),
        (
            &[
                ("x-ratelimit-reset-requests-day", "36000"),
                ("x-ratelimit-reset-tokens-minute", "9"),
            ],
            ms(9_000),
        ),
        (&[("x-ratelimit-limit-requests", "40")], None),
        (&[("x-ratelimit-reset-requests", "soon")], None),
        (&[("x-ratelimit-reset-requests", "4 apples")], None),
    ] {
        assert_eq!(of(headers), wait, "{headers:?}");
    }
    for (body, wait) in [
        (
            r#"{"error":{"details":[{"@type":"x"},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.5s"}]}}"#,
            ms(34_500),
        ),
        (r#"[{"error":{"details":[{"retryDelay":"7s"}]}}]"#, ms(7_000)),
        (r#"{"error":{"message":"slow down","retry_after":2.5}}"#, ms(2_500)),
        (r#"{"retry_after_ms":150}"#, ms(150)),
        (r#"{"error":{"retryDelay":"later"}}"#, None),
        ("{}", None),
    ] {
        assert_eq!(asked_in_body(&serde_json::from_str(body).unwrap()), wait, "{body}");
    }
}

#[test]
fn retry_after_is_parsed_in_all_forms() {
    let seconds = |s| Some(Duration::from_secs(s));
    assert_eq!(wanted(None, Some("7")), seconds(7));
    assert_eq!(wanted(None, Some(" 0 ")), seconds(0));
    assert_eq!(wanted(None, Some("1.5")), Some(Duration::from_millis(1500)));
    assert_eq!(wanted(Some("19560"), Some("20")), Some(Duration::from_millis(19_560)));
    assert_eq!(wanted(Some("soon"), Some("20")), seconds(20));
    assert_eq!(wanted(None, Some("Fri, 06 Nov 2026 08:50:07 GMT")), seconds(30));
    assert_eq!(wanted(None, Some("Friday, 06-Nov-26 08:50:07 GMT")), seconds(30));
    assert_eq!(wanted(None, Some("Fri, 06 Nov 2026 08:00:00 GMT")), seconds(0));
    assert_eq!(wanted(None, Some("99999999999999999999999999")), Some(Duration::MAX));
    for nothing in ["", "-1", "soon", "NaN", "inf", "1e3", "2026-11-06T08:50:07Z"] {
        assert_eq!(wanted(None, Some(nothing)), None, "{nothing}");
    }
    assert_eq!(wanted(None, None), None);
}

fn any_trouble() -> impl Strategy<Value = Trouble> {
    let status = prop_oneof![Just(None), (100_u16..600).prop_map(Some)];
    let asked = prop_oneof![
        Just(None),
        (0_u64..200_000).prop_map(|ms| Some(Duration::from_millis(ms))),
        Just(Some(Duration::MAX)),
    ];
    (status, asked, any::<bool>()).prop_map(|(status, asked, spent)| Trouble {
        status,
        asked,
        spent,
        ended: false,
    })
}

fn any_policy() -> impl Strategy<Value = Policy> {
    (0_u32..40, 0_u64..100_000, 0_u64..100_000, 0_u64..100_000).prop_map(|(attempts, a, b, c)| {
        let ms = Duration::from_millis;
        Policy { attempts, first: ms(a), most: ms(b), patience: ms(c) }
    })
}

proptest! {
    #[test]
    fn wait_fits_remaining_time(
        policy in any_policy(), calls in 1_u32..100, trouble in any_trouble(),
        jitter in any::<f64>(), left in 0_u64..200_000,
    ) {
        let left = Duration::from_millis(left);
        if let Decision::After(wait) = policy.decide(calls, &trouble, jitter, left) {
            prop_assert!(wait < left);
            prop_assert!(trouble.asked.is_none_or(|asked| wait >= asked && asked <= policy.patience));
            prop_assert!(trouble.may_pass() && !trouble.spent && calls < policy.attempts);
        }
    }

    #[test]
    fn calls_are_bounded(
        policy in any_policy(), trouble in any_trouble(), jitter in 0.0..1.0,
    ) {
        let mut calls = 1;
        while let Decision::After(_) = policy.decide(calls, &trouble, jitter, Duration::MAX) {
            calls += 1;
            prop_assert!(calls <= policy.attempts);
        }
    }

    #[test]
    fn pauses_never_shrink(policy in any_policy(), a in 0.0..1.0, b in 0.0..1.0, calls in 1_u32..31) {
        let (this, next) = (policy.pause(calls, a), policy.pause(calls + 1, b));
        let grown = this.mul_f64(1.3);
        prop_assert!(next >= grown || next >= policy.most.mul_f64(0.66));
        prop_assert!(this <= policy.most.max(policy.first));
    }

    #[test]
    fn any_headers_are_read_without_a_fault(ms in ".{0,24}", after in ".{0,40}") {
        let _ = wanted(Some(&ms), Some(&after));
    }
}
