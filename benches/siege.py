#!/usr/bin/env python3
"""A siege of `foureyes serve`: 64 clients that behave, beside as many that keep what they are given, for a minute.

  benches/siege.py PROGRAM [--clients N] [--seconds N] [--judge-ms N] [--scratch DIR]

The abusers open connections and send nothing, or half a header; send bodies that never end; ask for many answers and
read none; ask and go away, over a cap of three; send what is too large, and tokens that nobody has. Ends with 1 where a
client that behaves misses an answer, `/healthz` fails, the cap does not hold, a question has no line in the log, or the
service does not end when it is asked to.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time

from serve import Service, judge, message

LIMITS = "header_timeout_s = 5\nbody_timeout_s = 5\nwrite_timeout_s = 5\n"
CAP = 3


class Siege:
    """What is asked, what is refused, and how long good answers took."""

    def __init__(self, service, options):
        self.service = service
        # Each a client of its own: one that has more connections than others gives some to them.
        self.tokens = [service.run("serve", "token", "add", f"good-{n}").strip() for n in range(options.clients)]
        self.slow = service.run("serve", "token", "add", "slow").strip()
        self.few = service.run("serve", "token", "add", "few", "--per-day", str(CAP)).strip()
        self.good, self.healthy, self.wrong, self.refused = [], [], [], {}
        self.end = time.monotonic() + options.seconds

    def lasts(self):
        return time.monotonic() < self.end

    async def send(self, data):
        reader, writer = await asyncio.open_connection("127.0.0.1", self.service.port, limit=1 << 20)
        writer.write(data)
        return reader, writer

    def post(self, token):
        path, _, body = self.service.request(0, 0)
        head = f"POST {path} HTTP/1.1\r\nhost: siege\r\nauthorization: Bearer {token}\r\ncontent-length: {len(body)}\r\n\r\n"
        return head.encode() + body

    async def behave(self, token):
        """One connection, one new content after the other; it is opened again where its requests are used up."""
        writer = None
        while self.lasts():
            began = time.monotonic()
            if writer is None:
                reader, writer = await self.send(b"")
            try:
                writer.write(self.post(token))
                reply = await message(reader)
            except OSError as error:
                reply = (repr(error).encode(), b"")
            if reply is None or not reply[0].startswith(b"HTTP/1.1 200") or b"GO" not in reply[1]:
                self.wrong.append(repr(reply)[:200])
                writer = None
                continue
            self.good.append((time.monotonic() - began) * 1e3)
            if b"connection: close" in reply[0]:
                writer.close()
                writer = None

    async def probe(self):
        while self.lasts():
            began = time.monotonic()
            try:
                reader, writer = await self.send(b"GET /healthz HTTP/1.1\r\nhost: siege\r\nconnection: close\r\n\r\n")
                reply = await asyncio.wait_for(message(reader), 30)
                writer.close()
            except (OSError, asyncio.TimeoutError) as error:
                reply = (repr(error).encode(), b"")
            if reply is None or not reply[0].startswith(b"HTTP/1.1 200"):
                self.wrong.append(f"/healthz: {reply!r}")
            self.healthy.append((time.monotonic() - began) * 1e3)
            await asyncio.sleep(0.05)

    async def abuse(self, number):
        """One kind of abuse again and again, each to the end that the service makes."""
        whole = self.post(self.slow)
        kinds = {
            "silent": b"",
            "half": b"GET /healthz HTTP/1.1\r\nhost:",
            "slow": whole[:-5],
            "unread": b"GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n" * 1000,
            "gone": None,
            "large": whole.replace(b"content-length: ", b"content-length: 99999"),
            "foreign": self.post("stolen"),
        }
        kind, data = list(kinds.items())[number % len(kinds)]
        while self.lasts():
            try:
                reader, writer = await self.send(self.post(self.few) if data is None else data)
                if kind == "gone":
                    await asyncio.sleep(0.02)
                elif kind == "unread":
                    # Nothing is read: that its connection is closed is seen by the error of a write.
                    writer.transport.pause_reading()
                    while self.lasts():
                        writer.write(b"\r\n")
                        await writer.drain()
                        await asyncio.sleep(0.5)
                        if writer.transport.is_closing():
                            break
                else:
                    await asyncio.wait_for(reader.read(), 60)
                writer.transport.abort()
            except OSError:
                pass
            self.refused[kind] = self.refused.get(kind, 0) + 1

    async def run(self, clients):
        await asyncio.gather(
            *map(self.behave, self.tokens), *(self.abuse(n) for n in range(clients)), self.probe()
        )


def lines(service, below=""):
    place = os.path.join(service.home, ".openclaw/judge-service/log", below)
    files = (open(os.path.join(place, name), encoding="utf-8") for name in os.listdir(place) if name.endswith((".jsonl", ".calls")))
    return [json.loads(line) for file in files for line in file]


def row(name, took):
    took = sorted(took) or [0.0]
    print(f"{name:22} {statistics.median(took):9.2f} {took[int(len(took) * 0.99)]:9.2f} {len(took):8}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--judge-ms", type=int, default=50)
    parser.add_argument("--scratch")
    options = parser.parse_args()
    ports, last = multiprocessing.Pipe(duplex=False), multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=judge, args=(ports[1], options.judge_ms / 1e3, last[1]), daemon=True)
    process.start()
    judge_port = ports[0].recv()
    with tempfile.TemporaryDirectory(dir=options.scratch) as home:
        service = Service(os.path.abspath(options.program), home, options, judge_port, LIMITS)
        try:
            siege = Siege(service, options)
            asyncio.run(siege.run(options.clients))
        finally:
            service.child.terminate()
            try:
                service.child.wait(130)
            except subprocess.TimeoutExpired:
                service.child.kill()
                siege.wrong.append("the service did not end")
            process.terminate()
        asked = lines(service, "calls")
        judged = [line for line in lines(service) if line.get("evaluation", {}).get("attempts")]
    few = sum(call["client"] == "few" for call in asked)
    print(f"{options.clients} clients and as many abusers, {options.seconds} s, {os.cpu_count()} processors; milliseconds")
    print(f"{'':22} {'median':>9} {'99 %':>9} {'requests':>8}")
    row("clients that behave", siege.good)
    row("/healthz", siege.healthy)
    print("abuse that ended: " + ", ".join(f"{kind} {count}" for kind, count in sorted(siege.refused.items())))
    print(f"contents asked about {len(asked)}, judged {len(judged)}, for the client with a cap of {CAP}: {few}")
    if few > CAP or {call["id"] for call in asked} != {line["id"] for line in judged}:
        siege.wrong.append("the account and the log differ, or the cap did not hold")
    for what in siege.wrong[:10]:
        print(f"wrong: {what}")
    sys.exit(bool(siege.wrong))


if __name__ == "__main__":
    main()
