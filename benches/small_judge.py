#!/usr/bin/env python3
"""What a small model makes of the question: whether its answers carry the call word, and whether they fit.

  benches/small_judge.py --program target/debug/foureyes --endpoint http://127.0.0.1:8080 --model NAME [--out FILE]

Has the program judge five pages, three sound and two poor, through a proxy on loopback that keeps every answer
as it came. Prints what each answer was and appends it to a file of JSON lines, one for each answer:

  page, sound   which page, and whether a person would pass it
  question      the wording that was asked, by the name given with --question
  grammar       whether the server holds the model to the schema, as --grammar says
  turn          "first", or "second" where the program asked once more
  call          the call word of that request
  text, finish  the answer as it came, and why it ended
  carried       whether an object of it has the call word, by the reader of this script
  verdict       what it comes to by the rule of the rubric, by the reader of this script

A test replays that file through the program's own reader (tests/core/judging/recorded.rs). What the program made of
it in this run is compared here, and every difference named; the exit code is then 1. It needs a model, so nothing
runs it but a person.
"""

import argparse
import collections
import http.client
import http.server
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import urllib.parse

LEAST, DIMENSIONS = 3, ("semantic", "pragmatic", "syntactic")
VERDICTS = ("GO", "NO-GO", "UNDETERMINED")
# A mark is twice as long, and no page has such digits.
CALL = re.compile(r"(?<![0-9a-f])[0-9a-f]{16}(?![0-9a-f])")

PAGES = [
    ("rotate.md", True, """# Rotate the TLS certificate of the billing service

Do this when the monitoring shows fewer than 14 days until expiry. You need a shell on `billing-1` and `sudo`.

1. Ask for a new certificate: `sudo certbot renew --cert-name billing.example.org`.
2. Check its dates: `openssl x509 -noout -dates -in /etc/letsencrypt/live/billing.example.org/fullchain.pem`.
   `notAfter` must be at least 80 days away.
3. Test the configuration, then load it without dropping connections: `sudo nginx -t && sudo systemctl reload nginx`.
4. Ask the running server from another machine:
   `openssl s_client -connect billing.example.org:443 </dev/null | openssl x509 -noout -dates`.

If step 2 shows the old date, stop, read `/var/log/letsencrypt/letsencrypt.log`, and do not reload. The old certificate
goes on working until its own expiry.
"""),
    ("restore.md", True, """# Restore one PostgreSQL table from a dump

Use this where one table was damaged and the rest of the database is sound. It needs a dump in the custom format
(`pg_dump -Fc`) and about twice the size of the table in free disk space.

1. List what the dump has: `pg_restore -l nightly.dump | grep ' TABLE DATA public invoices '`.
2. Restore into a separate database, never over the live table:
   `createdb rescue && pg_restore -d rescue -t invoices nightly.dump`.
3. Count the rows in both: `SELECT count(*) FROM invoices;`.
4. Copy only the missing rows, inside one transaction, and check the count before `COMMIT`.

`-t` does not restore indexes or foreign keys of other tables, so `rescue` is no replacement for the live database.
Drop it when the owner of the data has confirmed the result.
"""),
    ("status.md", True, """# What to do on an HTTP status of our API

| status | meaning | what a client does |
|--:|---|---|
| 200 | the request succeeded | use the body |
| 400 | the request is malformed | do not retry; fix the request |
| 401 | no valid credentials | renew the token once, then give up |
| 404 | no such resource | do not retry |
| 429 | too many requests | wait as long as `Retry-After` says, then retry |
| 503 | the service is unavailable for a while | retry with exponential backoff, five times at most |

Only `GET`, `PUT` and `DELETE` are idempotent here. Do not retry a `POST` without an `Idempotency-Key`, because the first
one may have been carried out although its answer was lost. Log the `X-Request-Id` of each failure, and give it to
support.
"""),
    ("codes.md", False, """# HTTP status codes for the on-call engineer

HTTP 200 means that the server crashed. When you see many 200s, restart all servers at once and delete their logs, so
that the disk does not fill up.

HTTP 404 means that the password was wrong. Give the user administrator rights and let them try again.

HTTP 500 is a success. Nothing has to be done about it, however many there are. As said above, 200 is a success too.

Retry every `POST` without a limit until it answers 500. Payments are never booked twice, since HTTP guarantees that each
request is executed exactly once.
"""),
    ("notes.md", False, """# Migration of the

## Why

TODO

## Steps

1. First do the thing that was discussed.
2. Then, as the table below shows, change
3.

It should mostly work, probably, unless it does not. See [the plan](TODO) and figure 7.

## Rollback

## Who to ask

Ask someone who knows. There are exactly three conditions: it is fast. It may also be slow, which is the same. More is in
the next section.
"""),
]


class Proxy(http.server.BaseHTTPRequestHandler):
    """Passes each request on and keeps question and answer."""

    protocol_version = "HTTP/1.1"
    upstream, kept = None, []

    def do_GET(self):
        self.pass_on(None)

    def do_POST(self):
        self.pass_on(self.rfile.read(int(self.headers["Content-Length"])))

    def pass_on(self, body):
        connection = http.client.HTTPConnection(self.upstream.hostname, self.upstream.port, timeout=3600)
        headers = {k: v for k, v in self.headers.items() if k.lower() in ("content-type", "authorization", "accept")}
        connection.request(self.command, self.upstream.path.rstrip("/") + self.path, body, headers)
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        if body is not None:
            self.kept.append((json.loads(body), answer.status, data))
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.getheader("Content-Type", "application/json"))
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


def call_of(request):
    """The call word that a request names: that of its last line, or else the only one."""
    texts = [message["content"] for message in request["messages"]]
    last = CALL.findall(texts[-1].rstrip().rsplit("\n", 1)[-1])
    found = set(last or CALL.findall("\n".join(texts)))
    if len(found) != 1:
        raise SystemExit(f"a request names {len(found)} call words: {sorted(found)}")
    return found.pop()


def objects(text):
    """Whole JSON objects of a text that are in no other; a broken one is passed over."""
    decoder, at, found = json.JSONDecoder(strict=False), 0, []
    while (at := text.find("{", at)) >= 0:
        try:
            value, at = decoder.raw_decode(text, at)
            found.append(value)
        except ValueError:
            at += 1
    return found


def read(text, call):
    """Whether an object carries the word, and what the strictest one that fits comes to."""
    own = [o for o in objects(text) if isinstance(o.get("call"), str) and o["call"].strip().lower() == call]
    verdicts = [verdict for verdict in map(verdict_of, own) if verdict]
    worst = max(verdicts, key=("GO", "UNDETERMINED", "NO-GO").index, default="UNDETERMINED")
    return bool(own), bool(verdicts), worst


def verdict_of(answer):
    """The strictest of what the scores come to and of what is stated, beside them or among them. `None` where the object
    does not fit."""
    scores = answer.get("scores")
    among = scores if isinstance(scores, dict) else {}
    own = [place["verdict"] for place in (answer, among) if "verdict" in place]
    if not all(one in VERDICTS for one in own) or not isinstance(answer.get("findings", ""), str):
        return None
    values = [among.get(dimension) for dimension in DIMENSIONS]
    if not all(type(value) is int and 1 <= value <= 5 for value in values):
        return "UNDETERMINED" if own == ["UNDETERMINED"] else None
    if "UNDETERMINED" in own:
        return "UNDETERMINED"
    return "NO-GO" if "NO-GO" in own or min(values) < LEAST else "GO"


def instead(text):
    """What stands in `call`."""
    found = [o["call"] for o in objects(text) if "call" in o] or re.findall(r'"call"\s*:\s*"([^"\n]*)', text)
    return json.dumps(found[0])[:44] if found else "(no key)"


def ask(options, page, text, port):
    """Has the program judge one page; its record, and what passed the proxy."""
    Proxy.kept.clear()
    with tempfile.TemporaryDirectory() as home:
        os.makedirs(f"{home}/.config/foureyes")
        with open(f"{home}/.config/foureyes/config.toml", "w", encoding="utf-8") as config:
            config.write(
                f'[judge]\nendpoint = "http://127.0.0.1:{port}"\nmodel = {json.dumps(options.model)}\n'
                f"first_byte_timeout_s = 3600\ntimeout_s = 3600\nbudget_s = 3600\nmax_tokens = {options.max_tokens}\n"
            )
        with open(f"{home}/{page}", "w", encoding="utf-8") as file:
            file.write(text)
        key = os.environ.get("TERRAPHIM_API_KEY", "none")
        environment = {"HOME": home, "PATH": os.environ["PATH"], "TERRAPHIM_API_KEY": key}
        command = [os.path.abspath(options.program), "judge", "--json", page]
        done = subprocess.run(command, cwd=home, env=environment, stdin=subprocess.DEVNULL, capture_output=True)
    try:
        return json.loads(done.stdout)["contents"][0]["record"], list(Proxy.kept)
    except (ValueError, KeyError, IndexError):
        raise SystemExit(f"{page}: exit code {done.returncode}: {done.stderr.decode()}") from None


def lines_of(options, page, sound, kept):
    """A line for each answer."""
    for turn, (request, status, data) in zip(("first", "second", "third"), kept):
        if status != 200:
            raise SystemExit(f"{page}: the endpoint answered {status}: {data[:300]!r}")
        choice = json.loads(data)["choices"][0]
        text, call = choice["message"]["content"], call_of(request)
        carried, fits, verdict = read(text, call)
        line = {"page": page, "sound": sound, "question": options.question, "grammar": options.grammar}
        line |= {"turn": turn, "call": call, "text": text, "finish": choice["finish_reason"]}
        yield {**line, "carried": carried, "verdict": verdict}, fits


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--endpoint", required=True, help="of an OpenAI-compatible server, without /v1")
    parser.add_argument("--model", required=True)
    parser.add_argument("--question", default="new", help="name of the wording, for the file")
    parser.add_argument("--grammar", action="store_true", help="the server holds the model to the schema")
    parser.add_argument("--max-tokens", type=int, default=1024)
    parser.add_argument("--pages", help="only these, separated by commas")
    parser.add_argument("--out", help="file of JSON lines that is appended to")
    options = parser.parse_args()
    Proxy.upstream = urllib.parse.urlsplit(options.endpoint)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sums, odd = collections.Counter(), []
    print(f"{'page':12} {'is':6} {'turn':7} {'word':5} {'fits':5} {'verdict':13} {'ended':7} instead of the word")
    for page, sound, text in PAGES:
        if options.pages and page not in options.pages.split(","):
            continue
        record, kept = ask(options, page, text, server.server_port)
        lines = list(lines_of(options, page, sound, kept))
        for line, fits in lines:
            sums.update(answers=1, carried=int(line["carried"]), fit=int(fits))
            fault = "" if line["carried"] else instead(line["text"])
            print(
                f"{page:12} {'sound' if sound else 'poor':6} {line['turn']:7} {'yes' if line['carried'] else 'no':5} "
                f"{'yes' if fits else 'no':5} {line['verdict']:13} {line['finish']:7} {fault}",
                flush=True,
            )
            if options.out:
                with open(options.out, "a", encoding="utf-8") as out:
                    out.write(json.dumps(line, ensure_ascii=False) + "\n")
        if len(lines) > 1:
            same = lines[0][0]["text"] == lines[1][0]["text"]
            sums.update(pairs=1, equal=int(same))
            print(f"{'':12} {'':6} the second answer is {'the same bytes' if same else 'another one'}")
        last = lines[-1][0]["verdict"] if lines else "UNDETERMINED"
        sums.update({record["verdict"]: 1})
        if record["verdict"] != last:
            odd.append(f"{page}: {record['verdict']} by the program, {last} by this script")
    verdicts = ", ".join(f"{sums[verdict]} {verdict}" for verdict in VERDICTS)
    print(f"{sums['carried']} of {sums['answers']} answers carry the word, {sums['fit']} fit; verdicts: {verdicts}")
    if sums["pairs"]:
        print(f"{sums['equal']} of {sums['pairs']} second answers are the bytes of the first")
    for one in odd:
        print(one)
    sys.exit(bool(odd))


if __name__ == "__main__":
    main()
