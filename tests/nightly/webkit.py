"""Opens the page in WebKitGTK, the relative of Safari that Linux has, and checks the first cases of conformance.

usage: webkit.py URL [CASES]; it needs a display.
"""

import json
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import GLib, Gtk, WebKit2  # noqa: E402

READY_SECONDS = 120
CASES_SECONDS = 600
CASES_AT_ONCE = 20


def main(url, cases):
    view = WebKit2.WebView()
    view.get_settings().set_enable_write_console_messages_to_stdout(True)
    window = Gtk.Window()
    window.set_default_size(1280, 800)
    window.add(view)
    window.show_all()

    def call(body, seconds):
        """What an asynchronous function with this body returns in the page, as JSON."""
        loop, answer = GLib.MainLoop(), []

        def done(view, result):
            try:
                answer.append(view.call_async_javascript_function_finish(result).to_string())
            except GLib.Error as error:
                answer.append(error)
            loop.quit()

        late = GLib.timeout_add_seconds(seconds, loop.quit)
        view.call_async_javascript_function(body, -1, None, None, None, None, done)
        loop.run()
        if not answer:
            sys.exit(f"no answer in {seconds} s: {body}")
        GLib.source_remove(late)
        if isinstance(answer[0], GLib.Error):
            sys.exit(f"{body}: {answer[0].message}")
        return json.loads(answer[0])

    loop = GLib.MainLoop()
    view.connect("load-changed", lambda _, event: event == WebKit2.LoadEvent.FINISHED and loop.quit())
    view.connect("load-failed", lambda *failed: sys.exit(f"{url}: {failed[-1].message}"))
    view.load_uri(url)
    loop.run()

    ready = call(
        # The message stays until there is a picture.
        "const message = document.getElementById('message');"
        f"for (const end = Date.now() + {READY_SECONDS * 1000}; Date.now() < end;) {{"
        "  if (window.rasterscan?.ready && message.hidden) break;"
        "  await new Promise((done) => setTimeout(done, 100));"
        "}"
        "return JSON.stringify([document.title, message.hidden, message.innerText])",
        2 * READY_SECONDS,
    )
    title, runs, message = ready
    print(f"{title}\n{view.get_settings().get_user_agent()}")
    if not runs:
        sys.exit(f"the page runs nothing here: {message}")
    right = numbers = 0
    for first in range(0, cases, CASES_AT_ONCE):
        report = call(f"return window.rasterscan.selftest({first}, {CASES_AT_ONCE})", CASES_SECONDS)
        if first == 0:
            print(report["device"])
        if report["wrong"]:
            sys.exit(f"wrong; each job is a link to the page: ?JOB\n{json.dumps(report['wrong'], indent=1)}")
        right += report["right"]
        numbers += report["numbers"]
    print(f"{right} cases right, {numbers} numbers compared")
    if right < cases // 5:
        sys.exit("too few cases ran")


main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 400)
