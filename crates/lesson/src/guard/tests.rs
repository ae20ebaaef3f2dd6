use super::*;

fn guard(text: &str) -> Result<String, String> {
    apply(&format!("#version 330 core\n#define N 3\n#line 1 0\n{text}"))
}

fn counters(text: &str) -> usize {
    guard(text).unwrap().matches("break; else").count()
}

#[test]
fn every_form_of_loop_gets_its_counter() {
    for (loops, text) in [
        (1, "void main() { for (;;) {} }"),
        (1, "void main() { for (;;); }"),
        (1, "void main() { while (true); }"),
        (1, "void main() { do {} while (true); }"),
        (2, "void main() { do while (true); while (true); }"),
        (2, "void main() { for (;;) for (;;) {} }"),
        (1, "#define LOOP while (true)\nvoid main() { LOOP {} }"),
        (1, "#define F(x) for (x; x; x)\nvoid main() { F() ; }"),
        (1, "#define A B\n#define B while\nvoid main() { A (true) ; }"),
        (1, "#if N == 3\nvoid main() { while (true)\n#else\nvoid main() { if (false)\n#endif\n {} }"),
        (1, "void main() { if (true) for (;;) if (false) {} else {} else {} }"),
        (1, "void main() { switch (1) { case 0: for (;;) {} default: ; } }"),
        (1, "void main() { int i = 0; for (i++, i++; i++, true; i++, i++) {} }"),
        (0, "// for (;;)\n/* while (true); */ void main() { int fortune, whiled, dot; }"),
    ] {
        assert_eq!(counters(text), loops, "{text}");
    }
}

#[test]
fn a_loop_where_the_parser_expects_none_is_an_error() {
    for text in [
        "void main() { do {} }",
        "void main() { int i = for (;;) {}; }",
        "void main() { while true; }",
        "for (;;) {}",
        "struct S { int a; } s; while (true);",
        "void main() { for (while (true);;) {} }",
        "void main() { case 1 ? 2 : 3 : while (true); while }",
        "int guard_turns; void main() {}",
        "#define X guard_over\nvoid main() { X(1); }",
        "#define P(a, b) a ## b\nvoid main() { P(wh, ile) (true); }",
        "void main() { wh\\\nile (true); }",
    ] {
        assert!(guard(text).is_err(), "{text}\n{:?}", guard(text));
    }
}

#[test]
fn errors_name_the_line_of_the_text() {
    let of = |text: &str| guard(text).unwrap_err();
    assert_eq!(of("\n\nvoid main() { ( }"), "0:3: error: } closes the ( of line 3");
    assert_eq!(of("void main() {}\n\n#if UNKNOWN\n#endif"), "0:3: error: UNKNOWN is not defined");
    assert_eq!(of("\n\"text\""), "0:2: error: '\"' is not a character of GLSL");
    assert_eq!(
        of("\n#extension GL_X : enable\n").split(';').next(),
        Some("0:2: error: #extension cannot be set here")
    );
    assert!(of("#if 1\n").starts_with("0:1: error: this #if"));
}

#[test]
fn lines_stay_what_they_were() {
    let text = guard("/* a\nb */ int a;\n\n#define X(a) a\nint b = X(\n1\n);\nint c;").unwrap();
    let line_of = |what: &str| {
        let before = &text[..text.find(what).unwrap()];
        let (start, line) = before.rmatch_indices("#line ").next().map_or((0, 1), |(start, _)| {
            let words: Vec<&str> = before[start..].split_whitespace().collect();
            (start, words[1].parse::<usize>().unwrap())
        });
        line + before[start..].matches('\n').count() - 1
    };
    assert_eq!((line_of("int a"), line_of("int b"), line_of("int c")), (2, 5, 8), "{text}");
}

#[test]
fn conditions_are_those_of_the_language() {
    let taken = |condition: &str| {
        guard(&format!("#if {condition}\nint yes;\n#endif")).map(|text| text.contains("yes"))
    };
    for (condition, expected) in [
        ("1 + 2 * 3 == 7", true),
        ("defined N && N > 2", true),
        ("defined(M) && M > 2", false),
        ("!defined M || M", true),
        ("(1 << 4 | 0x0F) == 31", true),
        ("-N < 0 && ~0 == -1", true),
        ("N % 2 == 0", false),
        ("__VERSION__ >= 330", true),
        ("defined GL_ES", false),
    ] {
        assert_eq!(taken(condition), Ok(expected), "{condition}");
    }
    for condition in ["M", "1 / 0", "(1", "1 +", "1 1", ")", ""] {
        assert!(taken(condition).is_err(), "{condition}");
    }
    let chain = "#if N == 1\nint a;\n#elif N == 3\nint b;\n#elif N == 3\nint c;\n#else\nint d;\n#endif";
    let chain = guard(chain).unwrap();
    assert!(
        chain.contains("int b") && !["int a", "int c", "int d"].iter().any(|other| chain.contains(other))
    );
}

#[test]
fn macros_expand_once_and_end() {
    let text = guard("#define f(x) x + f(x)\n#define g g\nint a = f(g(1, 2)) ;").unwrap();
    assert!(text.contains("g ( 1 , 2 ) + f ( g ( 1 , 2 ) ) ;"), "{text}");
    let mut bomb = String::from("#define a0 1\n");
    for number in 1..40 {
        bomb.push_str(&format!("#define a{number} a{} + a{}\n", number - 1, number - 1));
    }
    assert!(guard(&format!("{bomb}int x = a39;")).unwrap_err().contains("expand to more than"));
}

#[test]
fn text_that_grows_when_its_calls_are_inlined_is_refused() {
    let mut text = String::from("int f0() { return 1; }\n");
    for number in 1..40 {
        text.push_str(&format!("int f{number}() {{ return f{0}() + f{0}(); }}\n", number - 1));
    }
    assert!(guard(&format!("{text}void main() {{ f39(); }}")).unwrap_err().contains("calls inlined"));
    let deep = format!("int x = {}1{};", "(".repeat(100), ")".repeat(100));
    assert!(guard(&deep).unwrap_err().contains("nest"));
    let deep = format!("void main() {{ {} ; }}", "if (true)".repeat(100));
    assert!(guard(&deep).unwrap_err().contains("nest"));
    assert!(guard(&format!("int x = {}1;", "-+".repeat(3000))).unwrap_err().contains("more than"));
}

#[test]
fn variables_that_fill_a_stack_are_refused() {
    for text in [
        "int x[100000];",
        "int x[4096][4096];",
        "int[4096] x[4096];",
        "const int K = 4096; int x[K * K];",
        "const uint K = 1u << 20; void main() { vec4 x[K]; }",
        "const int K = 4096, M = 9; const highp int L = K * K; void f(int a, int x[L]) {}",
        "struct S { int a[100], b[100]; vec4 c; }; void main() { S s, t[100]; }",
        "struct S { int a[128]; }; struct T { S a[128]; }; struct { T a[9]; } s;",
        "int a, b = max(1, 2), x[100000];",
        "int x[0x10000]; ",
        "mat4x3 x[4096];",
        "uvec4 a[4096], b[4096], c[4096];",
    ] {
        let wrong = guard(text).unwrap_err();
        assert!(wrong.contains("at most 16384") || wrong.contains("at most 32768"), "{text}: {wrong}");
    }
    for text in
        ["int x[int(1e9)];", "const int K = int(1e9); int x[K];", "const ivec2 K = ivec2(9); int x[K.x];"]
    {
        assert!(guard(text).unwrap_err().contains("size of an array"), "{text}");
    }
    assert_eq!(guard("int z[-1];").unwrap_err(), "0:1: error: an array of -1; expected a size of at least 1");
    let one = "int f(int i) { int a[64]; a[i] = i; return a[i + 1]; }";
    let calls = |count| format!("{one} void main() {{ int s = 0; {} }}", "s += f(s);".repeat(count));
    assert!(guard(&calls(8)).is_ok());
    assert!(guard(&calls(200)).unwrap_err().contains("calls inlined"));
    for text in [
        "const int K = 8, M = 2; int x[K * 2];",
        "const int K = 3 > 2 ? 8 : 1 / 0; int x[K + (K == 8 ? 1 : 4096 * 4096)];",
        "uniform usampler2D u[4]; int a[] = int[](1, 2, 3), b[3] = int[3](1, 2, 3);",
        "struct S { uint a[4]; }; S f(S a, const S b[2]) { return a; } void main() { S s[2]; int i; i = int[2](1, 2)[i]; }",
        "void main() { float f = 1.0; vec4 v = vec4(f)[3] * vec4(1); int i = ivec2(1)[i]; }",
        "buffer B { uint items[]; } b; shared uint s[12288]; void main() { int i; s[i] = s[i + 1]; }",
    ] {
        assert!(guard(text).is_ok(), "{text}: {:?}", guard(text));
    }
}

/// What a compiler of llvmpipe takes minutes or gigabytes for, in a few thousand bytes.
#[test]
fn text_that_is_small_for_a_student_and_large_for_a_compiler_is_refused() {
    let times = |count: usize, text: &str| text.repeat(count);
    let loops = |depth| times(depth, "for (int i = 0; i < 2; i++) ");
    let main = |text: &str| format!("void main() {{ int i; {text} }}");
    let cases =
        |count| (0..count).map(|case| format!("case {case}: i = {case}; break; ")).collect::<String>();
    let called = |count| format!("int f(int a) {{ {} return a; }}", times(count, "a = a * 3 ^ a; "));
    let (deep, large) = ("deep with all calls inlined", "takes a compiler");
    for (text, says) in [
        (main(&format!("{};", loops(58))), deep),
        (main("int a[8192]; int b[8192]; if (a == b) { i = 1; }"), large),
        (main("int z[16384]; for (; i < 16384; i++) { z[i] = i; }"), large),
        (main(&format!("ivec4 v; {}", times(2000, "v[i] += 1; "))), large),
        (main(&format!("switch (i) {{ {} }}", cases(2000))), large),
        (called(500) + &main(&times(40, "i = f(i); ")), large),
        // The same in other clothes.
        (
            format!("int f() {{ int i; {}; return i; }} {}", loops(6), main(&format!("{}f();", loops(6)))),
            deep,
        ),
        (format!("bool f() {{ int i; {}; return true; }} {}", loops(10), main("while (f());")), deep),
        (format!("bool f() {{ int i; {}; return true; }} {}", loops(10), main("do ; while (f());")), deep),
        (main("int a[2][4096]; if (a[0] == a[1]) { i = 1; }"), large),
        (main("const int K = 1; int a[9000]; int b[9000] = a; b = a; b[K] = 1;"), large),
        (format!("int[8192] f() {{ int a[8192]; return a; }} {}", main("if (f() == f()) { i = 1; }")), large),
        (format!("struct S {{ int a[4096]; }}; {}", main("S s; s.a[i] = 1;")), large),
        (format!("struct S {{ int a[4096]; }}; {}", main("S s[2]; if (s[0] == s[1]) { i = 1; }")), large),
        (main("int[1024] z; z[i] = z[i + 1];"), large),
        (format!("int i; int z[2048] = int[](1); int a = z[i]; {}", main("")), large),
        (main(&times(1300, "mat4 m; m[i][i] = 1.0; ")), large),
        (main(&format!("mat4 m; {}", times(350, "m = inverse(m) * m; "))), large),
        (main(&format!("float q; {}", times(1000, "q = pow(sin(q), atan(q, q)) + tan(q); "))), large),
        (main(&times(30, "for (int k = 0; k < 32; k++) i = i * 3 ^ k; ")), "has 30 loops"),
        (format!("void f() {{ for (;;) {{}} }} {}", main(&times(30, "f(); "))), "has 30 loops"),
        (main(&times(2700, "if (i == 1) return; ")), large),
        (main(&format!("int a[255]; int b[255]; {}", times(55, "if (a == b) i++; "))), large),
    ] {
        let wrong = guard(&text).expect_err(&text[..text.len().min(300)]);
        assert!(wrong.contains(says), "{}: {wrong}", &text[..text.len().min(300)]);
    }
    for text in [
        main(&format!("{};", loops(10))),
        main("int a[256]; int b[256]; if (a == b) { i = 1; }"),
        // A name means what it means where it stands.
        format!(
            "int f(int a[512]) {{ return a[i]; }} int g(int a) {{ {} return a; }} {}",
            times(500, "a += 1; "),
            main("")
        ),
        main("int a[128]; for (int k = 0; k < 9; k++) { int a = k; i += a; }"),
        main("int z[512]; for (; i < 512; i++) { z[i] = i; } i = z[i];"),
        main(&format!("ivec4 v; {}", times(300, "v[i] += 1; "))),
        main(&format!("switch (i) {{ {} }}", cases(256))),
        called(500) + &main(&times(4, "i = f(i); ")),
        main("int a[16]; for (; i < 16; i++) { a[i] = a[i] + a[(i + 1) % 16]; }"),
    ] {
        assert!(guard(&text).is_ok(), "{}: {:?}", &text[..text.len().min(300)], guard(&text));
    }
}

/// A condition is part of each turn.
#[test]
fn a_turn_counts_its_condition() {
    let heavy = format!("bool f(int i) {{ {} return i > 0; }}", "i = i * 3 ^ i; ".repeat(500));
    for text in ["while (f(1)) ;", "do ; while (f(1));", "for (; f(1); ) ;"] {
        let text = guard(&format!("{heavy} void main() {{ {text} }}")).unwrap();
        assert!(text.contains("if (guard_over(3"), "{text}");
    }
}

#[test]
fn soup_of_tokens_never_panics_and_no_loop_is_without_a_counter() {
    // Words, and what stands between them in a text.
    let soup: Vec<&str> =
        "for while do ( ) { } ; if else switch case default : x 1 M ## # \\ , defined /* */ // } 0x é"
            .split(' ')
            .chain([
                "\n#if ",
                "\n#else\n",
                "\n#endif\n",
                "\n#define ",
                "\n#line ",
                "\n",
                " ",
                "void main() {",
            ])
            .collect();
    let mut state = 1_u64;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    let mut accepted = 0;
    for _ in 0..20_000 {
        let words = (0..random(24)).map(|_| format!("{} ", soup[random(soup.len())])).collect::<String>();
        let text = format!("void f() {{ {words} }}");
        let Ok(guarded) = guard(&text) else { continue };
        accepted += 1;
        let words: Vec<&str> = guarded.split_whitespace().collect();
        let of = |wanted: &[&str]| words.iter().filter(|word| wanted.contains(word)).count();
        // A do has a while of its own.
        assert_eq!(of(&["for", "while"]), guarded.matches("break; else").count(), "{text}\n{guarded}");
    }
    assert!(accepted > 100, "only {accepted} texts were accepted");
}
