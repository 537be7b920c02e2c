#!/usr/bin/env python3
"""What a service adds to the time of a judge: 200 clients ask the same judge directly, and through `foureyes serve`.

  benches/serve.py PROGRAM [--clients N] [--each N] [--rounds N] [--judge-ms N] [--scratch DIR] [--report-only]

For a quiet machine and a release build. The judge is a small HTTP server in a process of its own that answers after
`--judge-ms` (1,000 by default). Each client has one connection, sends one new content after the other, and begins at a
moment of its own, as boxes do. Directly it sends the judge the very question that the service asks. Rounds of both
take turns. Beside the medians stands one fsync in the same directory: the service makes each judgement durable before
it answers. Ends with 1 where the median through the service is more than 5 ms above the direct one, or an answer or
a line of the log is missing.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import re
import secrets
import signal
import statistics
import subprocess
import sys
import tempfile
import time

BOUND_MS = 5.0
CALL = re.compile(r"`call`: exactly ([0-9a-f]+)")
VERDICT = {
    "scores": {"semantic": 4, "pragmatic": 4, "syntactic": 5},
    "verdict": "GO",
    "findings": "as it is",
    "revision_suggestions": [],
}


async def message(reader):
    """Head and body of a request or a reply; None where the other side has closed."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    length = re.search(rb"(?i)content-length: *(\d+)", head)
    return head, await reader.readexactly(int(length.group(1)) if length else 0)


def judge(port, seconds, last):
    """Serves the judge. The last question is written to a pipe once: direct clients send it again."""

    async def answer(reader, writer):
        while (request := await message(reader)) is not None:
            began, (_, body) = asyncio.get_running_loop().time(), request
            text = "".join(one["content"] for one in json.loads(body)["messages"])
            verdict = {"call": CALL.search(text).group(1), **VERDICT}
            choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": json.dumps(verdict)}}
            usage = {"prompt_tokens": 900, "completion_tokens": 60, "total_tokens": 960}
            reply = {"id": "1", "object": "chat.completion", "model": "scripted", "choices": [choice], "usage": usage}
            if not last.closed:
                last.send_bytes(body)
                last.close()
            payload = json.dumps(reply).encode()
            await asyncio.sleep(began + seconds - asyncio.get_running_loop().time())
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(payload) + payload)
        writer.close()

    async def serve():
        server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=1024, limit=1 << 20)
        port.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(serve())


async def client(number, options, port, request, took):
    """One client: its requests one after the other, each timed from the first byte sent to the last received."""
    await asyncio.sleep(options.judge_ms / 1e3 * number / options.clients)
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    for n in range(options.each):
        path, headers, body = request(number, n)
        head = f"POST {path} HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n{headers}\r\n"
        began = time.perf_counter()
        writer.write(head.encode() + body)
        head, reply = await message(reader)
        took.append((time.perf_counter() - began) * 1e3)
        if not head.startswith(b"HTTP/1.1 200") or b"GO" not in reply:
            raise SystemExit(f"an answer is no verdict: {head!r} {reply[:300]!r}")
    writer.close()


async def all_clients(options, port, request):
    took = []
    await asyncio.gather(*(client(n, options, port, request, took) for n in range(options.clients)))
    return took


class Service:
    """The program's service in a home of its own, and its token."""

    def __init__(self, program, home, options, judge_port, limits=""):
        self.home, self.program = home, program
        self.environment = {"HOME": home, "PATH": os.environ["PATH"], "KEY": "bench", "NO_PROXY": "127.0.0.1"}
        os.makedirs(os.path.join(home, ".config/foureyes"))
        with open(os.path.join(home, ".config/foureyes/config.toml"), "w", encoding="utf-8") as config:
            config.write(
                f'[judge]\nendpoint = "http://127.0.0.1:{judge_port}"\nmodel = "scripted"\nkey_env = "KEY"\n'
                f'[serve]\naddress = "127.0.0.1:0"\nworkers = {min(options.clients, 256)}\nqueue = 10000\n'
                f"client_queue = 10000\nconnections = {max(512, options.clients * 2)}\n{limits}"
            )
        self.run("serve", "key")
        self.token = self.run("serve", "token", "add", "bench").strip()
        self.child = subprocess.Popen([program, "serve"], env=self.environment, stderr=subprocess.PIPE, text=True)
        for line in self.child.stderr:
            if "listening on" in line:
                self.port = int(re.search(r"://[^;]*:(\d+)", line).group(1))
                return
        raise SystemExit("the service did not start")

    def run(self, *arguments):
        done = subprocess.run([self.program, *arguments], env=self.environment, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{arguments}: {done.stderr}")
        return done.stdout

    def request(self, _, __):
        file = {"path": "research/note.md", "content": f"A note of {secrets.token_hex(16)}.\n" + "One line of text.\n" * 40}
        body = {"kind": "push", "nonce": secrets.token_hex(16), "author": "OpenClaw Agent", "files": [file]}
        return "/v1/judgements", f"authorization: Bearer {self.token}\r\n", json.dumps(body).encode()

    def lines(self):
        log = os.path.join(self.home, ".openclaw/judge-service/log")
        names = [name for name in os.listdir(log) if name.endswith(".jsonl")]
        return sum(1 for name in names for _ in open(os.path.join(log, name), "rb"))

    def end(self):
        self.child.send_signal(signal.SIGTERM)
        self.child.wait()


def fsync_ms(directory, rounds=50):
    took = []
    with open(os.path.join(directory, "fsync"), "wb") as file:
        for _ in range(rounds):
            file.write(b"x" * 700)
            file.flush()
            began = time.perf_counter()
            os.fsync(file.fileno())
            took.append((time.perf_counter() - began) * 1e3)
    return statistics.median(took)


def row(name, took):
    took = sorted(took)
    print(f"{name:22} {statistics.median(took):9.2f} {took[int(len(took) * 0.99)]:9.2f} {len(took):8}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--each", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--judge-ms", type=int, default=1_000)
    parser.add_argument("--scratch")
    parser.add_argument("--report-only", action="store_true")
    options = parser.parse_args()
    ports, last = multiprocessing.Pipe(duplex=False), multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=judge, args=(ports[1], options.judge_ms / 1e3, last[1]), daemon=True)
    process.start()
    judge_port = ports[0].recv()
    with tempfile.TemporaryDirectory(dir=options.scratch) as home:
        service = Service(os.path.abspath(options.program), home, options, judge_port)
        try:
            warm = argparse.Namespace(**{**vars(options), "clients": 1, "each": 1})
            asyncio.run(all_clients(warm, service.port, service.request))
            question = last[0].recv_bytes()
            asked = lambda _, __: ("/v1/chat/completions", "authorization: Bearer bench\r\n", question)
            direct, through, load = [], [], os.getloadavg()[0]
            for _ in range(options.rounds):
                direct += asyncio.run(all_clients(options, judge_port, asked))
                through += asyncio.run(all_clients(options, service.port, service.request))
            fsync, lines = fsync_ms(home), service.lines()
        finally:
            service.end()
            process.terminate()
    print(f"{options.clients} clients, a judge of {options.judge_ms} ms, {os.cpu_count()} processors, load {load:.1f} at the start; milliseconds")
    print(f"{'':22} {'median':>9} {'99 %':>9} {'requests':>8}")
    row("the judge directly", direct)
    row("through the service", through)
    over = statistics.median(through) - statistics.median(direct)
    missed = over > BOUND_MS
    print(f"the service adds {over:.2f} ms at the median (bound {BOUND_MS:.0f} ms){'   MISSED' if missed else ''}; one fsync takes {fsync:.2f} ms")
    expected = len(through) + 1
    if lines != expected:
        raise SystemExit(f"the log has {lines} lines, and {expected} were answered")
    sys.exit(missed and not options.report_only)


if __name__ == "__main__":
    main()
