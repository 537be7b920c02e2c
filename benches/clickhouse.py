"""ClickHouse servers on the loopback, and a ZooKeeper where they are replicas."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

PROGRAMS = ("clickhouse-server", "clickhouse")
ZOOKEEPER = "org.apache.zookeeper.server.quorum.QuorumPeerMain"
JARS = "/usr/share/java/zookeeper.jar"


def free(count):
    """Ports that nobody has, chosen together so that no two are the same."""
    held = [socket.socket() for _ in range(count)]
    for one in held:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return ports


def program():
    places = ("/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin")
    for name in PROGRAMS:
        found = shutil.which(name, path=os.pathsep.join(places))
        if found:
            return [found, "server"] if name == "clickhouse" else [found]
    return sys.exit("there is no clickhouse-server: run ./test.sh --only-install")


class Zookeeper:
    """One that keeps nothing beyond its end but in its directory."""

    def __init__(self, home):
        self.home, (self.port,) = home, free(1)
        os.makedirs(os.path.join(home, "data"))
        with open(os.path.join(home, "zoo.cfg"), "w", encoding="ascii") as config:
            config.write(f"tickTime=500\ndataDir={home}/data\nclientPort={self.port}\n")
            config.write("clientPortAddress=127.0.0.1\nadmin.enableServer=false\n")
        self.start()

    def start(self):
        with open(os.path.join(self.home, "log"), "ab") as log:
            command = ["java", "-cp", f"{self.home}:{JARS}", ZOOKEEPER, f"{self.home}/zoo.cfg"]
            self.process = subprocess.Popen(command, stdout=log, stderr=log)
        until(lambda: socket.create_connection(("127.0.0.1", self.port), 1).close(), "ZooKeeper")

    def end(self):
        self.process.kill()
        self.process.wait()


def until(attempt, what, limit=60):
    end = time.time() + limit
    while True:
        try:
            return attempt()
        except (OSError, urllib.error.URLError) as error:
            if time.time() > end:
                sys.exit(f"{what} did not come up: {error}")
            time.sleep(0.1)


class Node:
    """A server with a directory and ports of its own."""

    def __init__(self, home, ports, more):
        self.home, (self.http, self.tcp, self.copies) = home, ports
        self.config = (
            "<yandex><logger><level>error</level><console>1</console></logger>"
            f"<http_port>{self.http}</http_port><tcp_port>{self.tcp}</tcp_port>"
            f"<interserver_http_port>{self.copies}</interserver_http_port>"
            "<interserver_http_host>127.0.0.1</interserver_http_host>"
            f"<listen_host>127.0.0.1</listen_host><path>{home}/data/</path>"
            f"<tmp_path>{home}/tmp/</tmp_path><users_config>{home}/users.xml</users_config>"
            "<default_profile>default</default_profile><default_database>default</default_database>"
            "<mark_cache_size>268435456</mark_cache_size>"
            f"<uncompressed_cache_size>0</uncompressed_cache_size>{more}</yandex>"
        )

    def configure(self, profile):
        os.makedirs(os.path.join(self.home, "users.d"), exist_ok=True)
        with open(os.path.join(self.home, "config.xml"), "w", encoding="utf-8") as config:
            config.write(self.config)
        with open(os.path.join(self.home, "users.xml"), "w", encoding="utf-8") as users:
            users.write(
                f"<yandex><profiles><default>{profile}</default></profiles><users><default><password/>"
                "<networks><ip>127.0.0.1</ip></networks><profile>default</profile>"
                "<quota>default</quota></default></users><quotas><default/></quotas></yandex>"
            )

    def start(self):
        with open(os.path.join(self.home, "log"), "ab") as log:
            command = [*program(), f"--config-file={self.home}/config.xml"]
            self.process = subprocess.Popen(command, cwd=self.home, stdout=log, stderr=log)
        until(lambda: self.ask("SELECT 1"), f"the server on port {self.http}")

    def end(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def ask(self, statement, settings="", limit=3600):
        url = f"http://127.0.0.1:{self.http}/?wait_end_of_query=1{settings}"
        try:
            with urllib.request.urlopen(url, statement.encode(), limit) as reply:
                return reply.read().decode("utf-8", "replace").strip()
        except urllib.error.HTTPError as error:
            sys.exit(f"{statement[:300]}: {error.read().decode('utf-8', 'replace')[:600]}")

    def cpu(self):
        """Seconds of processor time until now."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as stat:
            user, system = stat.read().rsplit(")", 1)[1].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def status(self, name):
        """MB of a line of its status, such as `VmHWM`."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            for line in status:
                if line.startswith(name):
                    return int(line.split()[1]) / 1000
        return 0.0

    def forget_peak(self):
        with open(f"/proc/{self.process.pid}/clear_refs", "w", encoding="ascii") as refs:
            refs.write("5")


class Servers:
    """Some shards with some replicas each, in a directory."""

    def __init__(self, home, shards, replicas=1, profile=""):
        self.zookeeper = Zookeeper(os.path.join(home, "zk")) if replicas > 1 else None
        ports = [free(3) for _ in range(shards * replicas)]
        shard = (
            "<shard><internal_replication>true</internal_replication>{}</shard>"
        )
        replica = "<replica><host>127.0.0.1</host><port>{}</port></replica>"
        each = [
            shard.format("".join(replica.format(p[1]) for p in ports[at : at + replicas]))
            for at in range(0, len(ports), replicas)
        ]
        # Merges of large parts need as much room again, and old parts stay for minutes.
        more = (
            "<merge_tree><old_parts_lifetime>10</old_parts_lifetime>"
            "<max_bytes_to_merge_at_max_space_in_pool>1000000000"
            "</max_bytes_to_merge_at_max_space_in_pool></merge_tree>"
        )
        more += f"<remote_servers><foureyes>{''.join(each)}</foureyes></remote_servers>"
        if self.zookeeper:
            more += f"<zookeeper><node><host>127.0.0.1</host><port>{self.zookeeper.port}</port></node>"
            more += "<session_timeout_ms>4000</session_timeout_ms></zookeeper>"
        self.nodes = [
            Node(os.path.join(home, f"n{at}"), three, more) for at, three in enumerate(ports)
        ]
        for node in self.nodes:
            node.configure(profile)
            node.start()

    def addresses(self):
        return [f"http://127.0.0.1:{node.http}" for node in self.nodes]

    def end(self):
        for node in self.nodes:
            node.end()
        if self.zookeeper:
            self.zookeeper.end()
