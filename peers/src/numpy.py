"""numpy's part of a case: reads files of bytes, and answers commands line by line.

    python3 -c SCRIPT scan TYPE OPERATOR KIND ORDER TUPLE      reads the files input and identity
    python3 -c SCRIPT compact TYPE                             reads the file input
    python3 -c SCRIPT sort TYPE MOVES BITS                     likewise; by the highest BITS

    says at first    ready VERSION
    run N            runs N times, and says how many nanoseconds they took together
    result           writes what the last run gave, array after array, to the file result, and says: written

What goes wrong is said in a line that begins with error, and ends the program. So does the end of the commands.
"""

import signal
import sys
import time


def scan(numpy, values, identity, operator, kind, order, tuple_size):
    """The scan as a function. Its results are allocated up front, as for other contenders."""
    accumulate = getattr(numpy, OPERATORS[operator]).accumulate
    if tuple_size > 1:
        values = values.reshape(-1, tuple_size)
    rooms = [numpy.empty_like(values) for _ in range(min(order, 2))]

    def run():
        source = values
        for number in range(order):
            target = rooms[number % 2]
            # The type is given, or the sums of short integers would be long.
            if kind == "exclusive" and number == order - 1:
                target[:1] = identity
                accumulate(source[:-1], axis=0, dtype=values.dtype, out=target[1:])
            else:
                accumulate(source, axis=0, dtype=values.dtype, out=target)
            source = target
        return source

    return run


def sort(numpy, values, moves, bits):
    """The sort as a function. Indices become as wide as keys when they are written."""
    width = 8 * values.itemsize
    short = numpy.dtype(values.dtype.kind + ("2" if bits <= 16 else str(values.itemsize)))

    def run():
        if moves == "values" and bits == width:
            return numpy.sort(values)
        # Of the short integers that remain of few bits, numpy makes a radix sort.
        keys = values if bits == width else (values >> (width - bits)).astype(short)
        order = numpy.argsort(keys, kind="stable")
        return {
            "values": lambda: values[order],
            "indices": lambda: order,
            "both": lambda: (values[order], order),
        }[moves]()

    return run


OPERATORS = {
    "add": "add",
    "mul": "multiply",
    "min": "minimum",
    "max": "maximum",
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
}
TYPES = {"u32": "u4", "i32": "i4", "f32": "f4", "u64": "u8", "i64": "i8"}


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(family, element, *spec):
    # The parent process decides when this ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        import numpy
    except ImportError:
        return say("error python3 has no numpy")
    # Integers wrap around.
    numpy.seterr(all="ignore")
    values = numpy.fromfile("input", dtype=TYPES[element])
    if family == "scan":
        operator, kind, order, tuple_size = spec
        identity = numpy.fromfile("identity", dtype=TYPES[element])
        run = scan(numpy, values, identity, operator, kind, int(order), int(tuple_size))
    elif family == "sort":
        moves, bits = spec
        run = sort(numpy, values, moves, int(bits))
    else:

        def run():
            return values[values != 0]

    say("ready " + numpy.__version__)
    for line in sys.stdin:
        command = line.split()
        if command[0] == "run":
            runs = range(int(command[1]))
            start = time.perf_counter_ns()
            for _ in runs:
                result = run()
            say(str(time.perf_counter_ns() - start))
        else:
            arrays = result if isinstance(result, tuple) else (result,)
            with open("result", "wb") as file:
                for array in arrays:
                    array.astype(values.dtype).tofile(file)
            say("written")


try:
    main(*sys.argv[1:])
except Exception as error:
    say("error " + " ".join("{}: {}".format(type(error).__name__, error).split()))
