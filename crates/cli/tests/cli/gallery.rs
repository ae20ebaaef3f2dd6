//! `gallery`: the list, a piece with its picture and its document; names that are none.

use rasterscan_gallery::ALL;

use super::Program;

#[test]
fn the_list_has_every_piece_with_its_job() {
    let program = Program::new();
    let list = program.run("gallery").ok();
    let text = list.values();
    let json = program.run("gallery --json").ok().json();
    assert_eq!(json["schema"], "rasterscan.gallery-list/1");
    for (number, piece) in ALL.into_iter().enumerate() {
        assert!(text.contains(&format!("{} {}", piece.name, piece.title)), "{text}");
        assert!(text.contains(&format!("app {}", piece.job)), "{text}");
        assert_eq!(json["pieces"][number]["name"], piece.name);
    }
}

#[test]
fn a_piece_is_a_text_a_picture_and_a_document() {
    let program = Program::new();
    let run = program.run("gallery delta -o path.png").ok();
    assert!(run.values().contains("numbers 16,384"), "{}", run.text());
    assert!(run.stderr.contains("the picture: path.png") && run.stderr.contains("checked on the CPU"));
    let picture = image::load_from_memory(&program.read("path.png")).unwrap();
    assert!(picture.width() > 600 && picture.height() > 300);

    let json = program.run("gallery delta --json").ok().json();
    assert_eq!((&json["schema"], &json["name"]), (&"rasterscan.gallery/1".into(), &"delta".into()));
    assert_eq!((&json["facts"][0]["name"], &json["facts"][0]["value"]), (&"numbers".into(), &16384.into()));
    assert_eq!(json["facts"][1]["value"].as_array().unwrap().len(), 6);
}

#[test]
fn names_that_are_none_are_refused() {
    let program = Program::new();
    program.run("gallery lexter").fails(2, &["there is no piece 'lexter'", "did you mean lexer?"]);
    program.run("gallery delta -o path.jpg").fails(1, &["path.jpg", ".png"]);
    assert_eq!(program.run("gallery -o path.png").code, Some(2));
    assert!(program.names().is_empty());
}
