"""Runs cells with the system's Python: commands arrive on descriptor 4, reports leave on 3."""

import asyncio
import json
import os
import resource
import struct
import sys

FILES_BYTES = 100 * 2**20
PROCESSES = 64
OPEN_FILES = 256
MESSAGE = b"J"
BYTES = b"B"


class Host:
    def send(self, text):
        self.write(MESSAGE, text.encode())

    def send_bytes(self, chunk):
        self.write(BYTES, chunk)

    def write(self, kind, payload):
        rest = memoryview(kind + struct.pack(">I", len(payload)) + payload)
        while rest:
            rest = rest[os.write(3, rest) :]


def read_exactly(count):
    parts = []
    while count > 0:
        part = os.read(4, min(count, 2**20))
        if not part:
            os._exit(0)
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def read_frame():
    kind, length = struct.unpack(">cI", read_exactly(5))
    return kind, read_exactly(length)


def read_chunks(size):
    while size > 0:
        _, chunk = read_frame()
        size -= len(chunk)
        yield chunk


def limit(what, most):
    _, hard = resource.getrlimit(what)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    resource.setrlimit(what, (most, most))


def main():
    root = sys.argv[1]
    os.chdir(root)
    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_FSIZE, FILES_BYTES)
    limit(resource.RLIMIT_NOFILE, OPEN_FILES)
    limit(resource.RLIMIT_NPROC, PROCESSES)
    # as in a script, modules beside the code can be imported, and the runner's folder cannot
    import cell

    sys.path[0] = root
    host = Host()
    cells = cell.Cells(host, root)
    version = ".".join(str(part) for part in sys.version_info[:3])
    cells.say(type="ready", version=f"Python {version}")
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    while True:
        _, payload = read_frame()
        command = json.loads(payload)
        if command["type"] == "put":
            cells.put(command["name"], read_chunks(command["size"]))
        else:
            loop.run_until_complete(cells.run(command["code"]))


main()
