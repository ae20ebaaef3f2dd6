use super::*;

fn own(name: &str) -> Definition {
    Definition::new(name.to_owned(), "").identity(ElementType::U32, &[0])
}

fn refused(definition: Definition) -> String {
    Operator::new(definition).unwrap_err().to_string()
}

#[test]
fn built_in_operators_have_identities_and_are_found_by_name() {
    for operator in Operator::ALL.into_iter().chain(Operator::PROVING).chain(Operator::FIRSTS) {
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

/// Items of every kind of value and index: with each other in any order, and with the identity.
#[test]
fn the_first_item_is_the_same_in_every_order() {
    fn first<T: Element>(operator: &Operator, values: &[T]) {
        let identity = operator.identity::<T, 2>();
        let item = |(index, value): (u32, &T)| numbered(*value, index);
        let items: Vec<[T; 2]> = [0, 5, 1 << 23, (1 << 30) - 1]
            .iter()
            .flat_map(|index| values.iter().map(move |value| (*index, value)))
            .map(item)
            .chain([identity])
            .collect();
        let bytes = |item: [T; 2]| bytemuck::cast_slice::<T, u8>(&item).to_vec();
        let combine = |a, b| operator.combine::<T, 2>(a, b).unwrap();
        for a in &items {
            assert_eq!(
                [bytes(combine(*a, identity)), bytes(combine(identity, *a))],
                [bytes(*a), bytes(*a)],
                "{operator}"
            );
            for b in &items {
                // Of one value and index there is one item.
                let index = |item: &[T; 2]| bytemuck::cast_slice::<T, u32>(&item[1..])[0];
                assert!(
                    index(a) == index(b) || bytes(combine(*a, *b)) == bytes(combine(*b, *a)),
                    "{operator}"
                );
                for c in &items {
                    assert_eq!(
                        bytes(combine(combine(*a, *b), *c)),
                        bytes(combine(*a, combine(*b, *c))),
                        "{operator}"
                    );
                }
            }
        }
        assert!(
            operator.commutes()
                && items.iter().all(|item| bytemuck::cast_slice::<T, u32>(&item[1..])
                    .iter()
                    .all(|word| *word == 0 || f32::from_bits(*word).is_normal()))
        );
    }
    for operator in Operator::FIRSTS {
        first(&operator, &[0u32, 7, u32::MAX]);
        first(&operator, &[i32::MIN, 0, i32::MAX]);
        first(&operator, &[0u64, 1 << 40, u64::MAX]);
        first(&operator, &[i64::MIN, -1, i64::MAX]);
        first(&operator, &[f32::NEG_INFINITY, -0.0, 0.0, 1.0, f32::INFINITY, f32::NAN]);
    }
    assert_eq!([first_word(0), first_word((1 << 30) - 1)].map(first_index), [Some(0), Some((1 << 30) - 1)]);
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
    for operator in Operator::ALL.into_iter().chain(Operator::PROVING).chain(Operator::FIRSTS) {
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
    assert_eq!(
        new(own("own")),
        new(own("own").twin(|_, left, right, result| result[0] = left[0] | right[0]))
    );
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
    for operator in Operator::ALL.into_iter().chain(Operator::PROVING).chain(Operator::FIRSTS) {
        let text = serde_json::to_string(&operator).unwrap();
        assert_eq!(text, format!("\"{operator}\""));
        assert_eq!(serde_json::from_str::<Operator>(&text).unwrap(), operator);
    }
    let own = Operator::new(own("own")).unwrap();
    assert_eq!(serde_json::to_string(&own).unwrap(), "\"own\"");
    let error = serde_json::from_str::<Operator>("\"own\"").unwrap_err().to_string();
    assert!(error.contains("unknown operator `own`"), "{error}");
}

#[test]
fn a_wrong_identity_is_refused_on_either_side_and_every_element() {
    let new = |arity: usize, words: &[u32], combine: fn(&[u32], &[u32], &mut [u32])| {
        assert_eq!(words.len(), arity);
        let definition = Definition::new("mine", "").identity(ElementType::U32, words);
        Operator::new(definition.twin(move |_, left, right, result| combine(left, right, result)))
    };
    let sum = |left: &[u32], right: &[u32], result: &mut [u32]| result[0] = left[0].wrapping_add(right[0]);
    assert_eq!(new(1, &[0], sum).unwrap().counterexample(), None);
    assert_eq!(
        new(1, &[7], sum).unwrap_err().to_string(),
        "the identity 7 of 'mine' is wrong: mine(7, 7) is 14, expected 7"
    );
    // Right on one side only.
    let minus = |left: &[u32], right: &[u32], result: &mut [u32]| result[0] = left[0].wrapping_sub(right[0]);
    assert!(new(1, &[0], minus).unwrap_err().to_string().contains("mine(0, 1) is 4294967295, expected 1"));
    // Right, and not associative: the mean of two that are not 0.
    let mean = |left: &[u32], right: &[u32], result: &mut [u32]| {
        result[0] = if left[0] == 0 || right[0] == 0 { left[0] + right[0] } else { (left[0] + right[0]) / 2 };
    };
    let example = new(1, &[0], mean).unwrap().counterexample().unwrap();
    assert!(example.starts_with("mine(mine("), "{example}");
    // In pairs, the second element counts, too.
    let pairs = |left: &[u32], right: &[u32], result: &mut [u32]| {
        (result[0], result[1]) = (left[0].max(right[0]), left[1].min(right[1]));
    };
    assert!(new(2, &[0, u32::MAX], pairs).is_ok());
    let error = new(2, &[0, 50], pairs).unwrap_err().to_string();
    assert!(
        error.contains("of 'mine' is wrong: mine((0, 50), (7, 100)) is (7, 50), expected (7, 100)"),
        "{error}"
    );
    // Floats within an error.
    let floats = |identity: f32, scale: f32| {
        Operator::new(Definition::new("mine", "").identity(ElementType::F32, &[identity.to_bits()]).twin(
            move |_, left, right, result| {
                let [left, right] = [left[0], right[0]].map(f32::from_bits);
                result[0] = ((left + right) * scale).to_bits();
            },
        ))
    };
    assert!(floats(0.0, 1.000_001).is_ok() && floats(0.0, 1.001).is_err() && floats(1.0, 1.0).is_err());
    // Built-in operators stand the same test.
    for operator in Operator::ALL {
        assert_eq!((operator.check_identities(), operator.counterexample()), (Ok(()), None), "{operator}");
    }
}
