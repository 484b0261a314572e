"""Runs in the environment of ufal.udpipe: a treebank to a saved parser, or a parser and a treebank to heads.

Gold tags are kept and no tokenizer is trained, so that the task is that of our parsers. UDPipe asks for a single root
and for ``root`` as its relation: other arcs of the root hang on the first one in training.
"""

import json
import lzma
import sys
import time
from pathlib import Path

import ufal.udpipe as udpipe


def blocks(path):
    """Yield the sentences of a treebank as UDPipe takes them."""
    with (lzma.open if path.endswith(".xz") else open)(path, "rt", encoding="utf-8") as file:
        for block in file.read().strip().split("\n\n"):
            rows = [line.split("\t") for line in block.split("\n") if line and line[0].isdigit()]
            rows = [row for row in rows if row[0].isdecimal()]
            root = next(row[0] for row in rows if row[6] == "0")
            for row in rows:
                if row[6] == "0" and row[0] != root:
                    row[6] = root
                if row[6] == "0":
                    row[7] = "root"
                elif row[7] == "root":
                    row[7] = "dep"
                row[5], row[8], row[9] = "_", "_", "_"
            yield "".join("\t".join(row) + "\n" for row in rows) + "\n"


def sentences(path):
    """Return the sentences of a treebank as objects of UDPipe."""
    reader = udpipe.InputFormat.newConlluInputFormat()
    reader.setText("".join(blocks(path)))
    found, error = [], udpipe.ProcessingError()
    while True:
        sentence = udpipe.Sentence()
        if not reader.nextSentence(sentence, error):
            break
        found.append(sentence)
    if error.occurred():
        raise ValueError(error.message)
    return found


def main(job):
    """Train or parse, and print what it took."""
    error = udpipe.ProcessingError()
    if job["do"] == "fit":
        data = udpipe.Sentences()
        for sentence in sentences(job["file"]):
            data.push_back(sentence)
        model = udpipe.Trainer.train(
            "morphodita_parsito",
            data,
            udpipe.Sentences(),
            udpipe.Trainer.NONE,
            udpipe.Trainer.NONE,
            job["options"],
            error,
        )
        if error.occurred():
            raise ValueError(error.message)
        with open(job["model"], "wb") as file:
            file.write(model)
        answer = {}
    else:
        model = udpipe.Model.load(job["model"])
        found = sentences(job["file"])
        before = time.perf_counter()
        for sentence in found:
            model.parse(sentence, udpipe.Pipeline.DEFAULT, error)
        parsing = time.perf_counter() - before
        heads = [word.head for sentence in found for word in sentence.words[1:]]
        answer = {"heads": heads, "parsing": parsing}
    answer["seconds"] = time.process_time()
    # not ru_maxrss, which a process inherits from the one that started it
    most = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    answer["megabytes"] = int(most.split()[1]) / 1024
    print(json.dumps(answer))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
