"""Suites: lazy, exact, loud about what is missing, and never half written."""

from __future__ import annotations

import errno
import json
import os
import pickle
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from published import published_task, write_published
from tasks import small_task

from ecliptic.errors import EclipticError, OutputError, SuiteError, TaskError
from ecliptic.rv.tasks import RVTask
from ecliptic.suite import Suite, load_suite, natural_order, write_suite

FORMS = pytest.mark.parametrize("form", ["folder", "suite.parquet"])


def some(count: int) -> list[RVTask]:
    return [small_task(f"star{index}", rv_ms=float(index)) for index in range(count)]


@FORMS
def test_a_suite_is_a_sequence(tmp_path: Path, form: str) -> None:
    tasks = some(150)  # more than two row groups
    assert write_suite(iter(tasks), tmp_path / form) == 150
    suite = load_suite(tmp_path / form)
    assert len(suite) == 150
    assert list(suite) == tasks
    assert list(suite) == tasks  # once more
    assert suite[0] == tasks[0]
    assert suite[-1] == tasks[-1]
    assert suite[97] == tasks[97]
    with pytest.raises(IndexError):
        suite[150]
    part = suite[10:12]
    assert isinstance(part, Suite)
    assert list(part) == tasks[10:12]
    assert [entry.key for entry in suite.entries()] == [task.source_id for task in tasks]
    assert [entry.id for entry in suite.entries()] == [task.id for task in tasks]


@FORMS
def test_entries_travel_to_other_processes(tmp_path: Path, form: str) -> None:
    tasks = some(70)
    write_suite(tasks, tmp_path / form)
    packed = [pickle.dumps(entry) for entry in load_suite(tmp_path / form).entries()]
    assert max(map(len, packed)) < 1000
    assert [pickle.loads(data).load() for data in packed] == tasks


def test_checksum_is_of_the_tasks_not_of_the_form(tmp_path: Path) -> None:
    tasks = some(5)
    write_suite(tasks, tmp_path / "a")
    write_suite(tasks, tmp_path / "b.parquet")
    write_suite(tasks[::-1], tmp_path / "c")
    write_suite(tasks[:4], tmp_path / "d")
    first, *others = (load_suite(tmp_path / name).checksum for name in ("a", "b.parquet"))
    assert [first] == others
    assert first == Suite.of(tasks, name="e").checksum
    assert first not in {load_suite(tmp_path / name).checksum for name in ("c", "d")}


def test_find(tmp_path: Path) -> None:
    suite = Suite.of(some(3), name="three")
    assert suite.find("star1").load() == suite[1]
    assert suite.find(suite[2].id).key == "star2"
    with pytest.raises(SuiteError, match="no task 'sta1' in this suite; did you mean 'star1'"):
        suite.find("sta1")


def test_other_ways_to_keep_tasks(tmp_path: Path) -> None:
    """A folder without a manifest, one file, a folder of parts; order is that of the names."""
    tasks = some(12)
    write_suite(tasks, tmp_path / "folder")
    (tmp_path / "folder" / "suite.json").unlink()
    (tmp_path / "folder" / ".hidden.json").write_text("{")
    (tmp_path / "folder" / "README.md").write_text("notes")
    assert list(load_suite(tmp_path / "folder")) == tasks
    assert list(load_suite(tmp_path / "folder" / "star7.json")) == [tasks[7]]
    for part in (1, 2, 10):
        write_suite(some(part + 1)[-1:], tmp_path / "parts" / f"part{part}.parquet")
    parts = load_suite(tmp_path / "parts")
    assert [entry.key for entry in parts.entries()] == [
        "part1/star1",
        "part2/star2",
        "part10/star10",
    ]


@FORMS
def test_tasks_are_not_held_in_memory(tmp_path: Path, form: str) -> None:
    alive: weakref.WeakValueDictionary[int, RVTask] = weakref.WeakValueDictionary()
    most = 0

    def stream() -> Iterator[RVTask]:
        nonlocal most
        for index in range(400):
            task = small_task(f"star{index}", rv_ms=float(index))
            alive[index] = task
            if index % 50 == 0:
                most = max(most, len(alive))
            yield task

    write_suite(stream(), tmp_path / form)
    for index, task in enumerate(load_suite(tmp_path / form)):
        alive[1000 + index] = task
        if index % 50 == 0:
            most = max(most, len(alive))
    assert 0 < most < 140  # at most two row groups of 64


def test_source_ids_never_leave_the_folder(tmp_path: Path) -> None:
    names = [
        "../../escape",
        "/etc/passwd",
        "..",
        ".hidden",
        "",
        "suite",
        "a/b",
        "a_b",
        "A_B",
        "x" * 400,
        "nul\0byte",
        "Gliese 876 b",
        "\N{GREEK SMALL LETTER TAU}",
        None,
    ]
    tasks = [small_task(name) for name in names if name != ""]
    tasks.append(small_task("", rv_ms=9.0))
    write_suite(tasks, tmp_path / "deep" / "suite")
    assert {path.name for path in tmp_path.iterdir()} == {"deep"}
    assert {path.name for path in (tmp_path / "deep").iterdir()} == {"suite"}
    files = [path.name for path in (tmp_path / "deep" / "suite").iterdir()]
    assert len({name.casefold() for name in files}) == len(tasks) + 1
    assert all(name.isascii() and not name.startswith(".") for name in files)
    assert list(load_suite(tmp_path / "deep" / "suite")) == tasks


def test_one_damaged_file_is_an_error_of_its_task_alone(tmp_path: Path) -> None:
    tasks = some(3)
    write_suite(tasks, tmp_path / "suite")
    whole = load_suite(tmp_path / "suite").checksum
    damaged = tmp_path / "suite" / "star1.json"
    damaged.write_text(damaged.read_text()[:300])
    suite = load_suite(tmp_path / "suite")
    outcomes = []
    for entry in suite.entries():
        try:
            outcomes.append(entry.load().source_id)
        except TaskError as error:
            outcomes.append(str(error))
    assert outcomes[0::2] == ["star0", "star2"]
    assert outcomes[1].startswith(f"{damaged}: is cut short: the JSON text ends at line 1 column")
    assert suite.checksum == whole  # so that a run can be resumed after the file is mended
    with pytest.raises(TaskError, match="cut short"):
        list(suite)


def test_a_damaged_row_is_an_error_of_its_task_alone(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "suite.parquet"
    write_suite(some(3), path)
    table = pq.read_table(path)
    rows = table.to_pylist()
    rows[0]["id"] = rows[0]["rvs_ms"] = None
    rows[1]["rvs_ms"][1] = None
    rows[2]["meta"] = "{"
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), path)
    messages = []
    for entry in load_suite(path).entries():
        with pytest.raises(TaskError) as caught:
            entry.load()
        messages.append(str(caught.value))
    assert next(load_suite(path).entries()).id is None
    assert messages[0] == f"{path}: star0: id should be a valid string, not None"
    assert messages[1] == f"{path}: star1: observation.rvs_ms must be finite at index 1, not nan"
    assert messages[2].startswith(f"{path}: star2: meta: is cut short")


def an_empty_folder(path: Path) -> Path:
    path.mkdir()
    return path


def a_folder_above_a_suite(path: Path) -> Path:
    write_suite(some(1), path / "mine")
    return path


def a_suite_with_a_lost_file(path: Path) -> Path:
    write_suite(some(3), path)
    (path / "star1.json").unlink()
    return path


def a_suite_with_a_stray_file(path: Path) -> Path:
    write_suite(some(3), path)
    write_published(path, published_task(), "zz.json")
    return path


def a_damaged_manifest(path: Path) -> Path:
    write_suite(some(1), path)
    (path / "suite.json").write_text('{"schema": ')
    return path


def a_foreign_manifest(path: Path) -> Path:
    write_suite(some(1), path)
    (path / "suite.json").write_text('{"schema": "ecliptic.suite/9"}')
    return path


def an_escaping_manifest(path: Path) -> Path:
    write_suite(some(1), path)
    text = (path / "suite.json").read_text()
    (path / "suite.json").write_text(text.replace("star0.json", "../star0.json"))
    return path


def the_same_task_twice(path: Path) -> Path:
    write_suite(some(1), path)
    (path / "suite.json").unlink()
    (path / "copy.json").write_bytes((path / "star0.json").read_bytes())
    return path


def the_same_row_twice(path: Path) -> Path:
    write_suite(some(1), path / "one.parquet")
    write_suite(some(1), path / "two.parquet")
    return path


def published_files(path: Path) -> Path:
    write_published(path, published_task())
    return path


def one_published_file(path: Path) -> Path:
    return write_published(path, published_task())


def another_version(path: Path) -> Path:
    path.mkdir()
    data = small_task().to_dict() | {"schema": "ecliptic.rv/2"}
    (path / "a.json").write_text(json.dumps(data))
    return path


def a_file(name: str, data: bytes) -> Callable[[Path], Path]:
    def build(path: Path) -> Path:
        path.mkdir()
        (path / name).write_bytes(data)
        return path / name

    build.__name__ = f"file_{name}_{data[:12]!r}"
    return build


def a_table(**changes: object) -> Callable[[Path], Path]:
    """A Parquet suite with a column dropped (None) or replaced, or other metadata."""

    def build(path: Path) -> Path:
        import pyarrow as pa
        import pyarrow.parquet as pq

        file = path / "suite.parquet"
        write_suite(some(2), file)
        table = pq.read_table(file)
        for name, value in changes.items():
            if name == "metadata":
                table = table.replace_schema_metadata(value)
            elif name == "rows":
                table = table.slice(0, value)
            elif value is None:
                table = table.drop_columns([name])
            else:
                at = table.schema.get_field_index(name)
                table = table.set_column(at, name, pa.array(value))
        pq.write_table(table, file)
        return file

    build.__name__ = f"table_{changes}"
    return build


def a_cut_table(path: Path) -> Path:
    write_suite(some(2), path / "suite.parquet")
    data = (path / "suite.parquet").read_bytes()
    (path / "suite.parquet").write_bytes(data[:-40])
    return path / "suite.parquet"


REFUSED: list[tuple[Callable[[Path], Path], list[str]]] = [
    (lambda path: path, ["no suite at", "ecliptic import"]),
    (lambda path: path.parent.parent / "no" / "way", ["no suite at"]),
    (an_empty_folder, ["holds no task files"]),
    (a_folder_above_a_suite, ["holds no task files", "did you mean", "mine?"]),
    (a_suite_with_a_lost_file, ["lacks star1.json", "lists 3 task files, 2 are there"]),
    (a_suite_with_a_stray_file, ["also holds zz.json", "lists 3 task files, 4 are there"]),
    (a_damaged_manifest, ["suite.json", "cut short", "remove it"]),
    (a_foreign_manifest, ["suite.json", "schema must be 'ecliptic.suite/1'"]),
    (an_escaping_manifest, ["suite.json", "files must be a list of file names"]),
    (the_same_task_twice, ["copy.json and", "star0.json hold the same task (rv-"]),
    (the_same_row_twice, ["one.parquet", "two.parquet", "hold the same task (rv-"]),
    (published_files, ["published Stargazer files", "`ecliptic import stargazer"]),
    (one_published_file, ["published Stargazer file", "`ecliptic import stargazer"]),
    (another_version, ["holds no readable task", "must be 'ecliptic.rv/1', is 'ecliptic.rv/2'"]),
    (a_file("a.json", b""), ["a.json: is empty"]),
    (a_file("a.json", b" \n"), ["a.json: is empty"]),
    (a_file("a.json", b"[1, 2]"), ["must hold a JSON object, not a list"]),
    (a_file("a.json", b'{"x": 1'), ["is cut short", "line 1 column 8"]),
    (a_file("a.json", b'{"x": 1,\n "y": "ab'), ["is cut short", "line 2 column 7"]),
    (a_file("a.json", b'{"x": 1} {}'), ["is not valid JSON: extra data at line 1 column 10"]),
    (a_file("a.json", b"{'x': 1}"), ["is not valid JSON", "line 1 column 2"]),
    (a_file("a.json", b'{"x": "\xff"}'), ["is not UTF-8 text: byte 0xff at offset 7"]),
    (a_file("a.json", b"[" * 100_000), ["is nested too deeply"]),
    (a_file("a.json", b'{"x": ' + b"9" * 5000 + b"}"), ["is not valid JSON: exceeds the limit"]),
    (a_file("a.json", b'{"x": 1}'), ["schema is missing: this is not a task file"]),
    (a_file("a.txt", b"hello"), ["is not valid JSON"]),
    (a_file("a.zip", b"PK"), ["is an archive", "ecliptic import stargazer"]),
    (a_file("a.parquet", b"no table"), ["not a complete Parquet file"]),
    (a_file("a.parquet", b""), ["not a complete Parquet file"]),
    (a_cut_table, ["not a complete Parquet file"]),
    (a_table(rows=0), ["holds no task (0 rows)"]),
    (a_table(metadata=None), ["'ecliptic.schema' is missing", "columns: id, source_id"]),
    (a_table(metadata={"ecliptic.schema": "ecliptic.rv/7"}), ["is 'ecliptic.rv/7'"]),
    (
        a_table(metadata={"ecliptic.schema": "x"}),
        ["schema must be 'ecliptic.rv/...' or", "not 'x'"],
    ),
    (a_table(rvs_ms=None), ["column rvs_ms is missing"]),
    (a_table(difficulty=["a", "b"]), ["column difficulty must be int64, is string"]),
]


@pytest.mark.parametrize(("build", "parts"), REFUSED)
def test_refusals_name_file_and_fix(
    tmp_path: Path, build: Callable[[Path], Path], parts: list[str]
) -> None:
    path = build(tmp_path / "here")
    with pytest.raises((SuiteError, TaskError)) as caught:
        load_suite(path)
    message = str(caught.value)
    assert str(path) in message
    assert "\n" not in message
    for part in parts:
        assert part in message


def test_a_misspelt_name_gets_a_suggestion(tmp_path: Path) -> None:
    write_suite(some(1), tmp_path / "stargazer")
    with pytest.raises(SuiteError, match=r"did you mean .*stargazer\?"):
        load_suite(tmp_path / "stargazr")


def test_a_folder_in_place_of_a_file(tmp_path: Path) -> None:
    write_suite(some(2), tmp_path / "suite")
    (tmp_path / "suite" / "star1.json").unlink()
    (tmp_path / "suite" / "star1.json").mkdir()
    suite = load_suite(tmp_path / "suite")
    with pytest.raises(TaskError, match=r"star1\.json: is a directory"):
        suite[1]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file(tmp_path: Path) -> None:
    write_suite(some(2), tmp_path / "suite")
    (tmp_path / "suite" / "star1.json").chmod(0)
    with pytest.raises(TaskError, match=r"star1\.json: permission denied; check its permissions"):
        load_suite(tmp_path / "suite")[1]


@FORMS
def test_an_interrupted_write_leaves_nothing(tmp_path: Path, form: str) -> None:
    def interrupted(error: BaseException) -> Iterator[RVTask]:
        yield from some(100)
        raise error

    for error in (KeyboardInterrupt(), TaskError("damaged"), RuntimeError("fault")):
        with pytest.raises(type(error)):
            write_suite(interrupted(error), tmp_path / form)
        assert list(tmp_path.iterdir()) == []
    write_suite(some(2), tmp_path / form)
    with pytest.raises(KeyboardInterrupt):
        write_suite(interrupted(KeyboardInterrupt()), tmp_path / form, overwrite=True)
    assert list(load_suite(tmp_path / form)) == some(2)
    assert [path.name for path in tmp_path.iterdir()] == [form]


@FORMS
def test_overwriting_has_to_be_asked_for(tmp_path: Path, form: str) -> None:
    write_suite(some(3), tmp_path / form)
    with pytest.raises(OutputError, match="--overwrite"):
        write_suite(some(1), tmp_path / form)
    assert len(load_suite(tmp_path / form)) == 3
    write_suite(some(1), tmp_path / form, overwrite=True)
    assert len(load_suite(tmp_path / form)) == 1
    assert [path.name for path in tmp_path.iterdir()] == [form]


@pytest.mark.parametrize("name", ["notes.txt", "other.json", "sub/x.json", "suite.json"])
def test_only_a_suite_is_overwritten(tmp_path: Path, name: str) -> None:
    precious = tmp_path / "folder" / name
    precious.parent.mkdir(parents=True)
    precious.write_text('{"mine": true}')
    with pytest.raises(OutputError, match="holds files of another kind"):
        write_suite(some(1), tmp_path / "folder", overwrite=True)
    assert precious.read_text() == '{"mine": true}'


def test_a_suite_with_notes_beside_its_tasks_is_kept(tmp_path: Path) -> None:
    write_suite(some(2), tmp_path / "suite")
    (tmp_path / "suite" / "notes.txt").write_text("mine")
    with pytest.raises(OutputError, match=r"another kind \(notes\.txt\)"):
        write_suite(some(1), tmp_path / "suite", overwrite=True)
    assert len(load_suite(tmp_path / "suite")) == 2


def test_taken_and_impossible_places(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "folder.parquet").mkdir()
    for path, message in [
        (tmp_path / "file", "is a file; choose a folder"),
        (tmp_path / "folder.parquet", "is a folder"),
        (
            tmp_path / "file" / "below",
            "cannot be written: file exists; a file stands where a folder",
        ),
        (tmp_path / ("x" * 300), "file name too long; choose a shorter name"),
    ]:
        with pytest.raises(EclipticError, match=message) as caught:
            write_suite(some(1), path, overwrite=True)
        assert str(path) in str(caught.value)
    assert (tmp_path / "file").read_text() == "x"


@FORMS
def test_a_full_disk_is_one_line(
    tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_suite(some(2), tmp_path / form)

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="no space left on device; free some space") as caught:
        write_suite(some(9), tmp_path / form, overwrite=True)
    monkeypatch.undo()
    assert str(tmp_path / form) in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == [form]
    assert list(load_suite(tmp_path / form)) == some(2)


@FORMS
def test_what_cannot_be_a_suite(tmp_path: Path, form: str) -> None:
    with pytest.raises(SuiteError, match="no tasks to write"):
        write_suite([], tmp_path / form)
    with pytest.raises(SuiteError, match=r"star0 comes twice \(rv-"):
        write_suite(some(1) * 2, tmp_path / form)
    assert list(tmp_path.iterdir()) == []


@FORMS
def test_written_files_have_the_usual_permissions(tmp_path: Path, form: str) -> None:
    write_suite(some(1), tmp_path / form)
    usual = tmp_path / "usual"
    usual.mkdir() if form == "folder" else usual.touch()
    assert (tmp_path / form).stat().st_mode == usual.stat().st_mode


@FORMS
def test_a_link_is_followed(tmp_path: Path, form: str) -> None:
    write_suite(some(1), tmp_path / "disk" / form)
    (tmp_path / form).symlink_to(tmp_path / "disk" / form)
    write_suite(some(2), tmp_path / form, overwrite=True)
    assert (tmp_path / form).is_symlink()
    assert len(load_suite(tmp_path / "disk" / form)) == 2


def test_natural_order() -> None:
    names = ["seed10", "seed9", "seed9_b", "a", "10", "9"]
    assert sorted(names, key=natural_order) == ["9", "10", "a", "seed9", "seed9_b", "seed10"]


# --- what is no regular file, and names and text that are not UTF-8 ------------------------


@pytest.mark.parametrize("name", ["a.json", "suite.json", "a.parquet"])
def test_a_pipe_is_not_waited_for(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    for path in (tmp_path, tmp_path / name):
        with pytest.raises(EclipticError, match=rf"{name}: not a regular file"):
            load_suite(path)


def test_a_pipe_among_tasks_is_an_error_of_its_own(tmp_path: Path) -> None:
    write_suite(some(2), tmp_path / "suite")
    (tmp_path / "suite" / "star1.json").unlink()
    os.mkfifo(tmp_path / "suite" / "star1.json")
    suite = load_suite(tmp_path / "suite")
    assert suite[0] == some(1)[0]
    with pytest.raises(TaskError, match=r"star1\.json: not a regular file"):
        suite[1]


@FORMS
def test_a_link_to_itself(tmp_path: Path, form: str) -> None:
    (tmp_path / form).symlink_to(tmp_path / form)
    with pytest.raises(OutputError, match=f"{form}: cannot be written: .*symbolic link"):
        write_suite(some(1), tmp_path / form)
    assert (tmp_path / form).is_symlink()
    with pytest.raises(SuiteError, match=form):
        load_suite(tmp_path / form)


def test_a_file_name_that_is_not_utf8(tmp_path: Path) -> None:
    write_suite(some(1), tmp_path / "suite")
    try:
        (tmp_path / "suite" / os.fsdecode(b"bad\xff.json")).write_text("{}")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    with pytest.raises(SuiteError, match=r"'bad\\udcff\.json' is not valid UTF-8; rename"):
        load_suite(tmp_path / "suite")


def with_column(path: Path, name: str, texts: list[bytes]) -> None:
    """Write the table again, with these bytes in a column of text."""
    table = pq.read_table(path)
    column = pa.array(texts, pa.binary()).view(pa.string())
    changed = table.set_column(table.schema.get_field_index(name), name, column)
    pq.write_table(changed.replace_schema_metadata(table.schema.metadata), path)


@pytest.mark.parametrize("name", ["id", "source_id"])
def test_names_in_parquet_that_are_not_utf8(tmp_path: Path, name: str) -> None:
    write_suite(some(2), tmp_path / "suite.parquet")
    with_column(tmp_path / "suite.parquet", name, [b"a\xff", b"b"])
    with pytest.raises(SuiteError, match=r"suite\.parquet: holds text that is not UTF-8"):
        load_suite(tmp_path / "suite.parquet")


def test_text_in_parquet_that_is_not_utf8(tmp_path: Path) -> None:
    write_suite(some(2), tmp_path / "suite.parquet")
    with_column(tmp_path / "suite.parquet", "meta", [b"{\xff", b"{}"])
    with pytest.raises(TaskError, match=r"suite\.parquet: star0: meta is not UTF-8 text"):
        load_suite(tmp_path / "suite.parquet")[0]


def test_a_flipped_bit_in_parquet_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "suite.parquet"
    write_suite(some(3), path)
    group = pq.ParquetFile(path).metadata.row_group(0)
    columns = [group.column(index) for index in range(group.num_columns)]
    column = next(c for c in columns if c.path_in_schema.startswith("rvs_ms"))
    data = bytearray(path.read_bytes())
    data[column.data_page_offset + column.total_compressed_size // 2] ^= 1
    path.write_bytes(data)
    suite = load_suite(path)
    with pytest.raises(TaskError, match=r"suite\.parquet: .*checksum of a page"):
        suite[0]
