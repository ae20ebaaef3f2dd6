use super::*;

fn own(name: &str) -> Definition {
    Definition::new(name.to_owned(), "").identity(ElementType::U32, &[0])
}

fn refused(definition: Definition) -> String {
    Operator::new(definition).unwrap_err().to_string()
}

#[test]
fn built_in_operators_have_identities_and_are_found_by_name() {
    for operator in Operator::ALL.into_iter().chain(Operator::PROVING) {
        let (identity, item) =
            (operator.identity::<u64, 2>(), [7, if operator.arity() == 2 { 9 } else { 0 }]);
        if Operator::ALL.contains(&operator) {
            assert_eq!(operator.combine(identity, item), Some(item), "{operator}");
            assert_eq!(operator.combine(item, identity), Some(item), "{operator}");
        }
        assert_eq!(Operator::named(operator.name()), Some(operator));
    }
    assert_eq!(Operator::named("nand"), None);
}

#[test]
fn visitors_are_given_the_operators_own_twin() {
    struct Combined([u32; 2], [u32; 2]);
    impl Visitor for Combined {
        type Output = [u32; 2];

        fn visit<O: BuiltIn>(self) -> [u32; 2] {
            O::combine(self.0, self.1)
        }
    }
    for operator in Operator::ALL {
        let combined = operator.visit(Combined([6, 5], [3, 4]));
        assert_eq!(combined, operator.combine([6, 5], [3, 4]), "{operator}");
    }
    assert!(Operator::new(own("nor")).unwrap().visit(Combined([6, 5], [3, 4])).is_none());
}

#[test]
fn names_fit_into_file_names_and_command_lines() {
    for name in ["a", "max_plus", "x2", &"n".repeat(Definition::LONGEST_NAME)] {
        assert_eq!(Operator::new(own(name)).unwrap().to_string(), name);
    }
    let long = "n".repeat(Definition::LONGEST_NAME + 1);
    for name in ["", "2x", "_x", "Max", "a b", "a/b", "..", "-x", "ä", "a\n", &long] {
        assert!(refused(own(name)).contains("is not an operator name"), "{name}");
    }
    for operator in Operator::ALL.into_iter().chain(Operator::PROVING) {
        assert!(refused(own(operator.name())).contains("is built in"), "{operator}");
    }
}

#[test]
fn identities_are_of_one_length() {
    assert!(refused(Definition::new("own", "")).contains("no identity"));
    for words in [&[][..], &[0; 17]] {
        assert!(refused(Definition::new("own", "").identity(ElementType::U32, words)).contains("on u32"));
    }
    assert!(refused(own("own").identity(ElementType::U64, &[1])).contains("u64 has 1 words"));
    assert!(refused(own("own").identity(ElementType::I32, &[1, 2])).contains("the operator own"));

    let pairs = Definition::new("own", "").identity(ElementType::I64, &[1, 0, 2, 0]);
    let pairs = Operator::new(pairs.identity(ElementType::F32, &[1.5f32.to_bits(), 0])).unwrap();
    assert_eq!((pairs.arity(), pairs.item_words(ElementType::I64)), (2, 4));
    assert_eq!((pairs.identity::<i64, 2>(), pairs.identity::<f32, 2>()), ([1, 2], [1.5, 0.0]));
    assert_eq!(ElementType::ALL.map(|element| pairs.accepts(element)), [false, false, true, false, true]);
    assert_eq!(pairs.domain(), "f32, i64");
}

#[test]
fn equality_is_of_the_text_and_twins_are_not_compared() {
    let new = |definition| Operator::new(definition).unwrap();
    assert_eq!(new(own("own")), new(own("own").twin(|_, _, _, _| {})));
    assert_ne!(new(own("own")), new(own("other")));
    assert_ne!(new(own("own")), new(own("own").commutes(true)));
    assert_ne!(new(own("own")), new(Definition::new("own", "// other").identity(ElementType::U32, &[0])));
    assert_ne!(new(own("own")), new(own("own").identity(ElementType::U32, &[1])));
    assert_ne!(new(own("own")), new(own("own").identity(ElementType::I32, &[0])));
}

#[test]
fn an_operator_without_a_twin_combines_nothing() {
    let operator = Operator::new(own("own")).unwrap();
    assert_eq!(operator.combine([1u32, 0], [2, 0]), None);
}

#[cfg(feature = "recordings")]
#[test]
fn documents_have_operators_by_name() {
    for operator in Operator::ALL.into_iter().chain(Operator::PROVING) {
        let text = serde_json::to_string(&operator).unwrap();
        assert_eq!(text, format!("\"{operator}\""));
        assert_eq!(serde_json::from_str::<Operator>(&text).unwrap(), operator);
    }
    let own = Operator::new(own("own")).unwrap();
    assert_eq!(serde_json::to_string(&own).unwrap(), "\"own\"");
    let error = serde_json::from_str::<Operator>("\"own\"").unwrap_err().to_string();
    assert!(error.contains("unknown operator `own`"), "{error}");
}
