"""Runs the code of people, call by call, in one namespace. Both engines use it.

A host has `send(text)`, which takes a message as JSON, and `send_bytes(bytes)`. Everything here
shares the interpreter with the code that it runs, so the service trusts none of it.
"""

import ast
import io
import json
import linecache
import os
import stat
import sys
import traceback
import types

MAX_OUTPUT = 100_000
MAX_SHOWN = 20_000
MAX_ERROR = 20_000
MAX_FILES = 50
MAX_FIGURES = 20
PICTURES = (".png", ".svg", ".pdf", ".jpg", ".jpeg", ".webp")
MAX_FILES_BYTES = 100 * 2**20
MAX_LOOKED_AT = 5_000
MAX_DEPTH = 8
CHUNK = 256 * 1024
COROUTINE = 0x80


class OutputLimit(BaseException):
    """The code prints without end. Not an `Exception`, which code catches by habit."""


class Output(io.TextIOBase):
    encoding = "utf-8"
    errors = "replace"

    def __init__(self, cells, name):
        self.cells = cells
        self.name = name

    def writable(self):
        return True

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self.cells.print(self.name, text)
        return len(text)


class Cells:
    def __init__(self, host, root):
        self.host = host
        self.root = root
        self.count = 0
        self.room = MAX_OUTPUT
        self.is_over = False
        main = types.ModuleType("__main__")
        main.__builtins__ = __builtins__
        sys.modules["__main__"] = main
        self.namespace = main.__dict__
        sys.stdout = Output(self, "stdout")
        sys.stderr = Output(self, "stderr")
        sys.stdin = io.StringIO()
        self.seen = self.scan(lambda name, reason: None)

    def say(self, **message):
        self.host.send(json.dumps(message))

    def print(self, stream, text):
        part = text[: self.room]
        self.room -= len(part)
        if part:
            # text that is no Unicode would be no JSON for others
            clean = part.encode("utf-8", "replace").decode("utf-8")
            self.say(type="output", stream=stream, text=clean)
        if len(part) < len(text):
            self.is_over = True
            raise OutputLimit("too much output")

    async def run(self, code):
        self.count += 1
        self.room = MAX_OUTPUT
        self.is_over = False
        error = None
        try:
            await self.execute(code)
            self.save_figures()
        except OutputLimit:
            pass
        except SystemExit as end:
            if end.code not in (None, 0):
                error = f"SystemExit: {end.code}"
        except BaseException as failure:
            error = describe(failure)
        try:
            self.send_files()
        except OSError as failure:
            error = error or describe(failure)
        done = {"type": "done", "isOverOutput": self.is_over}
        if error is not None:
            done["error"] = error.encode("utf-8", "replace").decode("utf-8")
        self.host.send(json.dumps(done))

    async def execute(self, code):
        name = f"<cell {self.count}>"
        lines = code.splitlines(keepends=True)
        linecache.cache[name] = (len(code), None, lines, name)
        tree = ast.parse(code, name)
        last = None
        if tree.body and isinstance(tree.body[-1], ast.Expr):
            last = ast.Expression(tree.body.pop().value)
        if tree.body:
            await self.evaluate(compile_part(tree, name, "exec"))
        if last:
            value = await self.evaluate(compile_part(last, name, "eval"))
            if value is not None and not code.rstrip().endswith(";"):
                self.namespace["_"] = value
                self.show(value)

    async def evaluate(self, compiled):
        value = eval(compiled, self.namespace)
        if compiled.co_flags & COROUTINE:
            value = await value
        return value

    def show(self, value):
        for method, ending in (("_repr_png_", "png"), ("_repr_svg_", "svg")):
            draw = getattr(type(value), method, None)
            drawn = draw(value) if draw else None
            if isinstance(drawn, str):
                drawn = drawn.encode()
            if isinstance(drawn, bytes):
                with open(self.free_name("picture", ending), "wb") as file:
                    file.write(drawn)
                return
        text = repr(value)
        if len(text) > MAX_SHOWN:
            text = f"{text[:MAX_SHOWN]}… ({len(text)} characters)"
        self.print("stdout", text + "\n")

    def save_figures(self):
        """What was drawn is a picture, unless the code has saved as many itself."""
        pyplot = sys.modules.get("matplotlib.pyplot")
        if pyplot is None:
            return
        numbers = pyplot.get_fignums()[:MAX_FIGURES]
        now = self.scan(lambda name, reason: None)
        saved = [
            name
            for name in now
            if self.seen.get(name) != now[name] and name.lower().endswith(PICTURES)
        ]
        if len(saved) < len(numbers):
            for number in numbers:
                path = self.free_name("figure", "png")
                pyplot.figure(number).savefig(path, bbox_inches="tight")
        pyplot.close("all")

    def free_name(self, name, ending):
        number = 1
        while os.path.lexists(f"{self.root}/{name}-{number}.{ending}"):
            number += 1
        return f"{self.root}/{name}-{number}.{ending}"

    def put(self, name, chunks):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        # a link of this name is replaced, not followed
        if os.path.lexists(path):
            os.unlink(path)
        with open(path, "wb") as file:
            for chunk in chunks:
                file.write(chunk)
        self.seen[name] = fingerprint(os.lstat(path))

    def scan(self, leave):
        """The files of the folder with what tells whether they have changed."""
        found = {}
        folders = [("", 0)]
        looked_at = 0
        while folders:
            folder, depth = folders.pop()
            with os.scandir(os.path.join(self.root, folder)) as entries:
                for entry in entries:
                    looked_at += 1
                    if looked_at > MAX_LOOKED_AT:
                        leave("…", "number")
                        return found
                    name = f"{folder}/{entry.name}" if folder else entry.name
                    if entry.name.startswith(".") or entry.name == "__pycache__":
                        continue
                    if not is_plain(name):
                        leave(name.encode("utf-8", "replace").decode("utf-8"), "name")
                        continue
                    status = entry.stat(follow_symlinks=False)
                    if stat.S_ISDIR(status.st_mode):
                        if depth < MAX_DEPTH:
                            folders.append((name, depth + 1))
                        else:
                            leave(name, "number")
                    elif stat.S_ISREG(status.st_mode):
                        found[name] = fingerprint(status)
                    else:
                        leave(name, "link" if stat.S_ISLNK(status.st_mode) else "special")
        return found

    def send_files(self):
        left = []
        now = self.scan(lambda name, reason: left.append((name, reason)))
        changed = sorted(name for name in now if self.seen.get(name) != now[name])
        room = MAX_FILES_BYTES
        for at, name in enumerate(changed):
            size = now[name][0]
            if at >= MAX_FILES:
                left.append((name, "number"))
            elif size > room:
                left.append((name, "size"))
            else:
                room -= size
                self.send_file(name, size)
        self.seen = now
        for name, reason in left[:MAX_FILES]:
            self.say(type="left", name=name[:300], reason=reason)

    def send_file(self, name, size):
        handle = os.open(os.path.join(self.root, name), os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        try:
            self.say(type="file", name=name, size=size)
            while size > 0:
                chunk = os.read(handle, min(CHUNK, size))
                # a file that became shorter has the length that was announced
                chunk = chunk or bytes(min(CHUNK, size))
                self.host.send_bytes(chunk)
                size -= len(chunk)
        finally:
            os.close(handle)


def compile_part(tree, name, mode):
    if mode == "exec":
        tree = ast.Module(tree.body, type_ignores=[])
    return compile(tree, name, mode, flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def describe(failure):
    """The traceback as Python prints it, without the lines of this file."""
    frames = failure.__traceback__
    while frames and frames.tb_frame.f_code.co_filename == __file__:
        frames = frames.tb_next
    try:
        text = "".join(traceback.format_exception(type(failure), failure, frames))
    except BaseException:
        text = type(failure).__name__
    text = text.rstrip()
    half = MAX_ERROR // 2
    return text if len(text) <= MAX_ERROR else f"{text[:half]}\n…\n{text[-half:]}"


def fingerprint(status):
    return (status.st_size, status.st_mtime_ns)


def is_plain(name):
    try:
        name.encode()
    except UnicodeError:
        return False
    return name.isprintable() and "\\" not in name and len(name) <= 300
