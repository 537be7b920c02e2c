"""An sshd of our own on the loopback, with keys of its own, and a forwarder that counts."""

import getpass
import os
import socket
import subprocess
import threading
import time


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Counter:
    """Forwards connections to a port and counts the bytes of both directions.

    With a rate it carries no more than so many bytes a second each way.
    """

    def __init__(self, port, rate=None):
        self.to, self.bytes, self.rate = port, 0, rate
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.to))
            for ends in ((client, server), (server, client)):
                threading.Thread(target=self.copy, args=ends, daemon=True).start()

    def copy(self, source, sink):
        free = time.monotonic()
        try:
            while True:
                block = source.recv(1 << 18)
                if not block:
                    break
                with self.lock:
                    self.bytes += len(block)
                if self.rate:
                    # The block has passed when all bytes before it and its own have.
                    free = max(free, time.monotonic()) + len(block) / self.rate
                    time.sleep(max(0, free - time.monotonic()))
                sink.sendall(block)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def take(self):
        """The bytes since the last call."""
        # What the last connection still has under way.
        time.sleep(0.3)
        with self.lock:
            taken, self.bytes = self.bytes, 0
        return taken

    def close(self):
        self.listener.close()


class SshBox:
    """The server: `box` reaches it directly, `counted` through the counter, `gigabit` over a link
    of that speed."""

    def __init__(self, sshd, directory):
        self.directory = directory
        for key in ("host", "key"):
            quiet(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.at(key)])
        port = free_port()
        self.counter = Counter(port)
        self.gigabit = Counter(port, rate=125_000_000)
        self.write("authorized_keys", open(self.at("key.pub")).read())
        self.write("known_hosts", "box " + open(self.at("host.pub")).read())
        self.write("sshd_config", self.server(port))
        hosts = {"box": port, "counted": self.counter.port, "gigabit": self.gigabit.port}
        self.write("ssh_config", "".join(self.client(name, at) for name, at in hosts.items()))
        if os.getuid() == 0:
            # As root, sshd insists on a directory that a boot would have made.
            os.makedirs("/run/sshd", mode=0o755, exist_ok=True)
        log = open(self.at("sshd.log"), "wb")
        self.process = subprocess.Popen([sshd, "-D", "-e", "-f", self.at("sshd_config")], stderr=log)
        self.wait(port)

    def at(self, name):
        return os.path.join(self.directory, name)

    def write(self, name, text):
        with open(self.at(name), "w") as file:
            file.write(text)

    def server(self, port):
        return (
            f"Port {port}\nListenAddress 127.0.0.1\nPidFile none\nHostKey {self.at('host')}\n"
            f"AuthorizedKeysFile {self.at('authorized_keys')}\nPermitRootLogin prohibit-password\n"
            "PasswordAuthentication no\nKbdInteractiveAuthentication no\nUsePAM no\n"
            "StrictModes no\nUseDNS no\n"
        )

    def client(self, name, port):
        return (
            f"Host {name}\n  HostName 127.0.0.1\n  Port {port}\n  User {getpass.getuser()}\n"
            f"  HostKeyAlias box\n  IdentityFile {self.at('key')}\n  IdentitiesOnly yes\n"
            f"  IdentityAgent none\n  UserKnownHostsFile {self.at('known_hosts')}\n"
            "  GlobalKnownHostsFile /dev/null\n  StrictHostKeyChecking yes\n  BatchMode yes\n"
        )

    def wait(self, port):
        end = time.monotonic() + 10
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                if time.monotonic() > end or self.process.poll() is not None:
                    raise RuntimeError("sshd does not listen: " + open(self.at("sshd.log")).read())
                time.sleep(0.05)

    def ssh(self, host, *command):
        return ["ssh", "-F", self.at("ssh_config"), host, *command]

    def close(self):
        self.counter.close()
        self.gigabit.close()
        self.process.terminate()
        self.process.wait()


def quiet(command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
