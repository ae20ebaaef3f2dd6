//! The host's memory: wrapped buffers and textures, results of the caller's own, readbacks in place and later.

use glow::HasContext;
use rasterscan::plan::{ItemType, Layout, Rectangle, Shader, Storage, Uniform};
use rasterscan::{CompactSpec, Comparison, Condition};
use rasterscan::{ElementType, Error, Gpu, Operator, Plan, Prepared, ScanSpec, Stream, compact, scan};
use rasterscan_runner::scan::choice;

use super::{COMPACTIONS, algorithms, numbers, plan, scan as prepared_scan};

/// The caller's texture of 32-bit unsigned integers, with mipmap filters, which would read as zero without a sampler.
fn texture(gpu: &Gpu, channels: u32, width: u32, height: u32, words: &[u32]) -> glow::Texture {
    let (internal, format) = match channels {
        1 => (glow::R32UI, glow::RED_INTEGER),
        2 => (glow::RG32UI, glow::RG_INTEGER),
        _ => (glow::RGBA32UI, glow::RGBA_INTEGER),
    };
    assert_eq!(words.len() as u32, channels * width * height);
    let made = gpu.with_current(|gl| unsafe {
        let texture = gl.create_texture().unwrap();
        gl.bind_texture(glow::TEXTURE_2D, Some(texture));
        gl.pixel_store_i32(glow::UNPACK_ALIGNMENT, 4);
        let pixels = glow::PixelUnpackData::Slice(Some(bytemuck::cast_slice(words)));
        let (width, height) = (width as i32, height as i32);
        let kind = glow::UNSIGNED_INT;
        gl.tex_image_2d(glow::TEXTURE_2D, 0, internal as i32, width, height, 0, format, kind, pixels);
        gl.bind_texture(glow::TEXTURE_2D, None);
        texture
    });
    made.unwrap()
}

fn delete(gpu: &Gpu, texture: glow::Texture) {
    gpu.with_current(|gl| unsafe { gl.delete_texture(texture) }).unwrap();
}

/// A rectangle's texels, row by row.
fn cut(words: &[u32], channels: u32, width: u32, part: Rectangle) -> Vec<u32> {
    let rows = part.y..part.y + part.height;
    let row = |y: u32| {
        let first = ((y * width + part.x) * channels) as usize;
        words[first..first + (part.width * channels) as usize].iter().copied()
    };
    rows.flat_map(row).collect()
}

fn textures_of_any_shape_are_scanned() {
    let gpu = rasterscan_runner::gpu();
    let (width, height) = (37, 11);
    for channels in [1, 2, 4] {
        let words = numbers((channels * width * height) as usize);
        let theirs = texture(&gpu, channels, width, height, &words);
        let layout = Layout::texture(ElementType::U32, channels, width, height);
        let parts = [
            None,
            Some(Rectangle { x: 0, y: 0, width, height }),
            Some(Rectangle { x: 5, y: 2, width: 30, height: 9 }),
            Some(Rectangle { x: 36, y: 10, width: 1, height: 1 }),
        ];
        for part in parts {
            let data = part.map_or(words.clone(), |part| cut(&words, channels, width, part));
            let spec = ScanSpec::new::<u32>(data.len());
            let expected = scan::sequential(&spec, &data).unwrap();
            for algorithm in algorithms(&gpu) {
                let plan = plan(algorithm, &spec, &gpu).for_inputs(&[(layout, part)]).unwrap();
                assert_eq!(plan.name().split(':').next(), algorithm.split(':').next());
                let mut prepared = gpu.prepare(&plan).unwrap();
                let input = unsafe { gpu.wrap_texture(theirs, &layout) }.unwrap();
                let sums = prepared.run(&input).unwrap();
                assert_eq!(
                    sums.read::<u32>().unwrap(),
                    expected,
                    "{algorithm}, {channels} channels, {part:?}"
                );
            }
        }
        // The stream is gone, and the texture is not.
        let stream = unsafe { gpu.wrap_texture(theirs, &layout) }.unwrap();
        assert_eq!(stream.read::<u32>().unwrap(), words);
        let others = numbers(words.len()).into_iter().rev().collect::<Vec<u32>>();
        stream.write(&others).unwrap();
        drop(stream);
        let again = unsafe { gpu.wrap_texture(theirs, &layout) }.unwrap();
        assert_eq!(again.read::<u32>().unwrap(), others);
        delete(&gpu, theirs);
    }
}

/// A channel of textures of other formats than streams have.
fn channels_of_any_format_are_scanned() {
    let gpu = rasterscan_runner::gpu();
    let (width, height) = (19, 7);
    let texels = (width * height) as usize;
    let bytes: Vec<u8> = numbers(4 * texels).iter().map(|number| *number as u8).collect();
    let halves: Vec<u16> = bytes.iter().map(|byte| 0x3C00 + u16::from(*byte)).collect();
    let words: Vec<u32> = numbers(4 * texels);
    let floats: Vec<f32> = words.iter().map(|word| (word % 1000) as f32 - 500.0).collect();
    type Pixels<'a> = (u32, u32, u32, u32, &'a [u8], Vec<f32>);
    let byte = |byte: &u8| f32::from(*byte) / 255.0;
    let half = |byte: &u8| 1.0 + f32::from(*byte) / 1024.0;
    let first = |count: usize| &bytes[..count * texels];
    let pixels: [Pixels<'_>; 5] = [
        (glow::RGBA8, glow::RGBA, glow::UNSIGNED_BYTE, 4, &bytes, bytes.iter().map(byte).collect()),
        (glow::R8, glow::RED, glow::UNSIGNED_BYTE, 1, first(1), first(1).iter().map(byte).collect()),
        (
            glow::RGBA16F,
            glow::RGBA,
            glow::HALF_FLOAT,
            4,
            bytemuck::cast_slice(&halves),
            bytes.iter().map(half).collect(),
        ),
        (
            glow::R16F,
            glow::RED,
            glow::HALF_FLOAT,
            1,
            bytemuck::cast_slice(&halves[..texels]),
            first(1).iter().map(half).collect(),
        ),
        (glow::RGBA32F, glow::RGBA, glow::FLOAT, 4, bytemuck::cast_slice(&floats), floats.clone()),
    ];
    let spec = ScanSpec::new::<f32>(texels).operator(Operator::MAX);
    for (internal, format, kind, channels, data, values) in pixels {
        let theirs = gpu.with_current(|gl| unsafe {
            let theirs = gl.create_texture().unwrap();
            gl.bind_texture(glow::TEXTURE_2D, Some(theirs));
            gl.pixel_store_i32(glow::UNPACK_ALIGNMENT, 1);
            let (width, height) = (width as i32, height as i32);
            let data = glow::PixelUnpackData::Slice(Some(data));
            gl.tex_image_2d(glow::TEXTURE_2D, 0, internal as i32, width, height, 0, format, kind, data);
            theirs
        });
        let theirs = theirs.unwrap();
        let layout = Layout::pixels(ElementType::F32, channels, width, height);
        let stream = unsafe { gpu.wrap_pixels(theirs, &layout) }.unwrap();
        for channel in 0..channels {
            let own = |values: &[f32]| -> Vec<f32> {
                values.iter().skip(channel as usize).step_by(channels as usize).copied().collect()
            };
            let expected = scan::sequential(&spec, &own(&values)).unwrap();
            for algorithm in algorithms(&gpu) {
                let plan = plan(algorithm, &spec, &gpu).for_channel(layout, channel, 0).unwrap();
                let largest: Vec<f32> = gpu.prepare(&plan).unwrap().run(&stream).unwrap().read().unwrap();
                let near = |(one, other): (&f32, &f32)| (one - other).abs() <= 1e-6 * other.abs();
                assert!(largest.iter().zip(&expected).all(near), "{internal:#x}, {channel}, {algorithm}");
            }
        }
        // Bytes as integers.
        if kind == glow::UNSIGNED_BYTE {
            let own: Vec<u32> = data.iter().step_by(channels as usize).map(|byte| (*byte).into()).collect();
            let spec = ScanSpec::new::<u32>(texels);
            let plan = plan("packed", &spec, &gpu).for_channel(layout, 0, 255).unwrap();
            let sums: Vec<u32> = gpu.prepare(&plan).unwrap().run(&stream).unwrap().read().unwrap();
            assert_eq!(sums, scan::sequential(&spec, &own).unwrap());
        }
        let refused = |layout: Layout| unsafe { gpu.wrap_pixels(theirs, &layout) }.unwrap_err().to_string();
        let error = refused(Layout::pixels(ElementType::F32, channels, width, height + 1));
        assert!(error.contains("19 x 7 texels; the layout says 19 x 8"), "{error}");
        if channels == 1 {
            let error = refused(Layout::pixels(ElementType::F32, 4, width, height));
            assert!(error.contains("1 channel of") && error.contains("in 4 channels at least"), "{error}");
        }
        delete(&gpu, theirs);
    }
    // Channels of 32-bit integers are as they are.
    let theirs = texture(&gpu, 4, width, height, &words);
    let layout = Layout::pixels(ElementType::U32, 4, width, height);
    let stream = unsafe { gpu.wrap_texture(theirs, &layout) }.unwrap();
    let spec = ScanSpec::new::<u32>(texels);
    let whole = plan("packed", &spec, &gpu);
    let mut prepared = gpu.prepare(&whole.for_channel(layout, 2, 0).unwrap()).unwrap();
    let mut sums_of = |channel: usize| {
        let own: Vec<u32> = words.iter().skip(channel).step_by(4).copied().collect();
        assert_eq!(
            prepared.run(&stream).unwrap().read::<u32>().unwrap(),
            scan::sequential(&spec, &own).unwrap()
        );
        prepared.set("u_channel", 1).unwrap();
    };
    sums_of(2);
    sums_of(1);
    assert!(whole.for_channel(layout, 4, 0).unwrap_err().to_string().contains("no channel 4"));
    let floats = Layout::pixels(ElementType::F32, 4, width, height);
    assert!(
        unsafe { gpu.wrap_pixels(theirs, &floats) }.unwrap_err().to_string().contains("unsigned integers")
    );
    delete(&gpu, theirs);
}

fn buffers_are_scanned_in_place() {
    let gpu = rasterscan_runner::gpu();
    let data = numbers(5001);
    let spec = ScanSpec::new::<u32>(data.len());
    let expected = scan::sequential(&spec, &data).unwrap();
    let bytes = data.len().next_multiple_of(4) * 4;
    let theirs = gpu.with_current(|gl| unsafe {
        let buffer = gl.create_buffer().unwrap();
        gl.bind_buffer(glow::ARRAY_BUFFER, Some(buffer));
        gl.buffer_data_size(glow::ARRAY_BUFFER, bytes as i32, glow::DYNAMIC_COPY);
        gl.buffer_sub_data_u8_slice(glow::ARRAY_BUFFER, 0, bytemuck::cast_slice(&data));
        buffer
    });
    let theirs = theirs.unwrap();
    let layout = Layout::buffer(ElementType::U32, 1, spec.len);
    let input = unsafe { gpu.wrap_buffer(theirs, &layout) }.unwrap();
    assert_eq!(input.read::<u32>().unwrap(), data);
    for algorithm in algorithms(&gpu) {
        let plan = plan(algorithm, &spec, &gpu);
        let is_texture = plan.layout(plan.input()).storage == Storage::Texture;
        // A buffer is read by draws only where it can be a texture.
        if is_texture && gpu.device().max_buffer_texels == 0 {
            continue;
        }
        let mut prepared = gpu.prepare(&plan.for_inputs(&[(layout, None)]).unwrap()).unwrap();
        assert_eq!(prepared.run(&input).unwrap().read::<u32>().unwrap(), expected, "{algorithm}");
    }
    // Too small by one vector, by its length or by what it should hold.
    let long = Layout::buffer(ElementType::U32, 1, spec.len + 8);
    let error = unsafe { gpu.wrap_buffer(theirs, &long) }.unwrap_err().to_string();
    assert!(error.contains("it has 20016 bytes") && error.contains("takes 20048"), "{error}");
    drop(input);
    let alive = gpu.with_current(|gl| unsafe { gl.is_buffer(theirs) }).unwrap();
    assert!(alive, "a stream deleted the caller's buffer");
    gpu.with_current(|gl| unsafe { gl.delete_buffer(theirs) }).unwrap();
    let error = unsafe { gpu.wrap_buffer(theirs, &layout) }.unwrap_err().to_string();
    assert!(error.contains("no such buffer"), "{error}");
}

fn what_cannot_be_wrapped_is_refused() {
    let gpu = rasterscan_runner::gpu();
    let theirs = texture(&gpu, 1, 8, 4, &numbers(32));
    let layout = |element, channels, width, height| Layout::texture(element, channels, width, height);
    let right = layout(ElementType::U32, 1, 8, 4);
    let refused = |layout: Layout| unsafe { gpu.wrap_texture(theirs, &layout) }.unwrap_err();
    for (wrong, reason) in [
        (layout(ElementType::U32, 1, 8, 5), "8 x 4 texels; the layout says 8 x 5"),
        (layout(ElementType::U32, 1, 7, 4), "8 x 4 texels; the layout says 7 x 4"),
        (
            layout(ElementType::U32, 2, 8, 4),
            "1 channel of 32 bits, unsigned integers; they must be of RG32UI",
        ),
        (layout(ElementType::F32, 1, 8, 4), "unsigned integers; they must be of R32F"),
        (layout(ElementType::I32, 1, 8, 4), "unsigned integers; they must be of R32I"),
    ] {
        let error = refused(wrong).to_string();
        assert!(error.contains("wrapping a texture") && error.contains(reason), "{error}");
    }
    assert!(matches!(refused(Layout::buffer(ElementType::U32, 1, 32)), Error::LayoutMismatch { .. }));

    // A rectangle beyond the texture, and one with more numbers than the plan reads.
    let plan = plan("horn", &ScanSpec::new::<u32>(12), &gpu);
    for part in
        [Rectangle { x: 5, y: 0, width: 4, height: 3 }, Rectangle { x: 0, y: u32::MAX, width: 4, height: 3 }]
    {
        let error = plan.for_inputs(&[(right, Some(part))]).unwrap_err().to_string();
        assert!(error.contains("a rectangle of 4 x 3 texels from"), "{error}");
    }
    let more = Rectangle { x: 0, y: 0, width: 4, height: 4 };
    assert!(matches!(
        plan.for_inputs(&[(right, Some(more))]),
        Err(Error::Length { got: 16, expected: 12, .. })
    ));
    assert!(matches!(plan.for_inputs(&[]), Err(Error::Inputs { got: 0, expected: 1 })));

    delete(&gpu, theirs);
    let error = refused(right).to_string();
    assert!(error.contains("no such texture"), "{error}");
    // The refusals left nothing behind.
    let (mut prepared, stream, expected) = prepared_scan(&gpu, "packed", 500);
    assert_eq!(prepared.run(&stream).unwrap().read::<u32>().unwrap(), expected);
}

fn results_of_the_callers_own_stay() {
    let gpu = rasterscan_runner::gpu();
    for algorithm in algorithms(&gpu) {
        let (mut prepared, stream, expected) = prepared_scan(&gpu, algorithm, 5000);
        let ones = prepared.upload(&vec![1u32; 5000]).unwrap();
        let counted: Vec<u32> = (1..=5000).collect();
        let kept = prepared.new_outputs().unwrap();
        let others = prepared.new_outputs().unwrap();
        prepared.run_into([&stream], [&kept[0]]).unwrap();
        prepared.run_into([&ones], [&others[0]]).unwrap();
        assert_eq!(prepared.run(&ones).unwrap().read::<u32>().unwrap(), counted, "{algorithm}");
        assert_eq!(kept[0].read::<u32>().unwrap(), expected, "{algorithm}");
        assert_eq!(others[0].read::<u32>().unwrap(), counted, "{algorithm}");
        // As a further input, and over itself.
        prepared.run_into([&others[0]], [&kept[0]]).unwrap();
        let twice = scan::sequential(&ScanSpec::new::<u32>(5000), &counted).unwrap();
        assert_eq!(kept[0].read::<u32>().unwrap(), twice, "{algorithm}");

        assert!(matches!(prepared.run_into([&kept[0]], [&kept[0]]), Err(Error::OwnResult)));
        assert!(matches!(prepared.run_into([&ones], []), Err(Error::Inputs { got: 0, expected: 1 })));
        let (short, ..) = prepared_scan(&gpu, algorithm, 10);
        let short = short.new_outputs().unwrap();
        let error = prepared.run_into([&ones], [&short[0]]);
        assert!(matches!(error, Err(Error::LayoutMismatch { .. })), "{algorithm}");
    }
}

fn a_compaction_leaves_three_results_of_the_callers_own() {
    let gpu = rasterscan_runner::gpu();
    let data = numbers(3000);
    let condition = Condition::new(Comparison::AtLeast, 1u32 << 31);
    let spec = CompactSpec::new::<u32>(data.len()).keep(condition).moves(rasterscan::Moves::Both);
    let expected = compact::sequential(&spec, &data, &[]).unwrap();
    let mut ran = 0;
    for algorithm in COMPACTIONS {
        let choice =
            rasterscan::tools::registry::Choice::parse(rasterscan::tools::problem::COMPACT, algorithm)
                .unwrap();
        let Ok(Some(plan)) = choice.plan(&spec, gpu.device()) else { continue };
        let mut prepared = gpu.prepare(&plan).unwrap();
        let input = prepared.upload(&data).unwrap();
        let none = prepared.upload(&vec![0u32; data.len()]).unwrap();
        let kept = prepared.new_outputs().unwrap();
        prepared.run_into([&input], kept.iter().collect::<Vec<&Stream>>()).unwrap();
        prepared.run(&none).unwrap();
        let named = |name: &str| {
            let of = |slot: &rasterscan::plan::Slot| plan.slots()[slot.index()].name == name;
            &kept[plan.outputs().iter().position(of).unwrap()]
        };
        let count = u64::from(named("count").read::<u32>().unwrap()[0]);
        assert_eq!(count, expected.values.len() as u64, "{algorithm}");
        assert_eq!(named("values").read_first::<u32>(count).unwrap(), expected.values, "{algorithm}");
        assert_eq!(named("indices").read_first::<u32>(count).unwrap(), expected.indices, "{algorithm}");
        ran += 1;
    }
    assert!(ran >= 6, "{ran} compactions");
}

fn reads_in_place_and_later_are_the_same() {
    let gpu = rasterscan_runner::gpu();
    fn check<T: rasterscan::Element + PartialEq + std::fmt::Debug>(gpu: &Gpu, layout: &Layout, data: &[T]) {
        let stream = gpu.upload(layout, data).unwrap();
        let mut later = stream.read_later::<T>().unwrap();
        // A readback under way does not change.
        let mut reversed = data.to_vec();
        reversed.reverse();
        stream.write(&reversed).unwrap();
        let waited = stream.read_later::<T>().unwrap().wait().unwrap();
        assert_eq!(waited, reversed, "{layout}");
        gpu.finish().unwrap();
        let polled = loop {
            if let Some(numbers) = later.poll().unwrap() {
                break numbers;
            }
        };
        assert_eq!(polled, data, "{layout}");
        assert_eq!(later.poll().unwrap(), Some(Vec::new()));
        drop(stream.read_later::<T>().unwrap());
        for count in [0, data.len().min(1), data.len() / 3, data.len()] {
            let mut numbers = vec![T::zeroed(); count];
            stream.read_into(&mut numbers).unwrap();
            assert_eq!(numbers, reversed[..count], "{layout}, {count}");
        }
        let mut more = vec![T::zeroed(); data.len() + 1];
        assert!(matches!(stream.read_into(&mut more), Err(Error::Length { .. })));
    }
    for len in [0u64, 1, 1000, 70_000] {
        let data: Vec<u32> = numbers(len as usize);
        let floats: Vec<f32> = data.iter().map(|&word| (word >> 8) as f32).collect();
        let longs: Vec<u64> = data.iter().map(|&word| u64::from(word) << 20).collect();
        for items in [1, 2, 4] {
            let fit = |element| Layout::fit(gpu.device(), element, 1, items, len, 2).unwrap();
            check(&gpu, &fit(ElementType::U32), &data);
            if gpu.device().float_targets {
                check(&gpu, &fit(ElementType::F32), &floats);
            }
            if items < 4 {
                check(&gpu, &fit(ElementType::U64), &longs);
            }
        }
        check(&gpu, &Layout::buffer(ElementType::U32, 1, len), &data);
        check(&gpu, &Layout::buffer(ElementType::F32, 1, len), &floats);
    }
    let (prepared, ..) = prepared_scan(&gpu, "horn", 10);
    let stream = prepared.upload(&numbers(10)).unwrap();
    assert!(matches!(stream.read_later::<i32>(), Err(Error::ElementMismatch { .. })));
    assert!(matches!(stream.read_into(&mut [0.5f32]), Err(Error::ElementMismatch { .. })));
    assert!(matches!(stream.write(&numbers(9)), Err(Error::Length { got: 9, expected: 10, .. })));
}

/// A pass that adds a number to each item.
fn adding(gpu: &Gpu, len: u64) -> Plan {
    const ADD: &str = "#include \"common/item.glsl\"\n#include \"common/fetch.glsl\"\n\
        uniform Sampler u_source;\nuniform ivec4 u_source_shape;\nuniform int u_more;\n\
        layout(location = 0) out Texel o_texel;\n\
        void main() {\n    Item item = the_item(fetch(u_source, ivec2(gl_FragCoord.xy), u_source_shape));\n\
        item += uint(u_more);\n    o_texel = texel_of(item);\n}\n";
    let layout = Layout::fit(gpu.device(), ElementType::U32, 1, 1, len, 2).unwrap();
    let item = ItemType { element: ElementType::U32, operator: Operator::ADD };
    let mut plan = Plan::new("add", item, layout);
    let (source, target) = (plan.input(), plan.slot("more", layout));
    plan.draw("add", Shader::new("own/add.frag", ADD))
        .read("u_source", source)
        .write(target)
        .set("u_more", Uniform::Int(0));
    plan.finish(target)
}

fn one_plan_serves_many_values_of_a_uniform() {
    let gpu = rasterscan_runner::gpu();
    let data = numbers(1000);
    let mut prepared = gpu.prepare(&adding(&gpu, 1000)).unwrap();
    let input = prepared.upload(&data).unwrap();
    for more in [0, 7, 1000] {
        prepared.set("u_more", Uniform::Int(more)).unwrap();
        let expected: Vec<u32> = data.iter().map(|number| number.wrapping_add(more as u32)).collect();
        assert_eq!(prepared.run(&input).unwrap().read::<u32>().unwrap(), expected);
    }
    let wrong = prepared.set("u_less", Uniform::Int(1)).unwrap_err();
    assert!(matches!(&wrong, Error::NoUniform { name } if name == "u_less"), "{wrong}");
    let wrong = prepared.set("u_more", Uniform::Int2([1, 2])).unwrap_err();
    assert_eq!(wrong.to_string(), "the uniform u_more is of type int, not ivec2");
}

/// A pass of one shader that scales items and adds a number, by a `float` and a `uint`.
fn scaled(gpu: &Gpu, len: u64, scale: impl Into<Uniform>) -> Result<Prepared, Error> {
    const SCALE: &str = "#include \"common/item.glsl\"\n#include \"common/fetch.glsl\"\n\
        uniform Sampler u_source;\nuniform ivec4 u_source_shape;\nuniform float u_scale;\nuniform uint u_more;\n\
        layout(location = 0) out Texel o_texel;\n\
        void main() {\n    Item item = the_item(fetch(u_source, ivec2(gl_FragCoord.xy), u_source_shape));\n\
        o_texel = texel_of(item * u_scale + float(u_more >> 24));\n}\n";
    let layout = Layout::fit(gpu.device(), ElementType::F32, 1, 1, len, 2).unwrap();
    let item = ItemType { element: ElementType::F32, operator: Operator::ADD };
    let mut plan = Plan::new("scale", item, layout);
    let (source, target) = (plan.input(), plan.slot("scaled", layout));
    plan.draw("scale", Shader::new("own/scale.frag", SCALE))
        .read("u_source", source)
        .write(target)
        .set("u_scale", scale)
        .set("u_more", 0u32);
    gpu.prepare(&plan.finish(target))
}

fn uniforms_are_floats_and_unsigned_too() {
    let gpu = rasterscan_runner::gpu();
    let data: Vec<f32> = (0..300).map(|i| i as f32).collect();
    let mut prepared = scaled(&gpu, 300, 1.0f32).unwrap();
    let input = prepared.upload(&data).unwrap();
    for (scale, more) in [(1.0f32, 0u32), (-0.5, 0xFF00_0000), (f32::INFINITY, 1 << 31), (0.0, 0), (-0.0, 0)]
    {
        prepared.set("u_scale", scale).unwrap();
        prepared.set("u_more", more).unwrap();
        let got: Vec<f32> = prepared.run(&input).unwrap().read().unwrap();
        let expected = data.iter().map(|item| (item * scale + (more >> 24) as f32).to_bits());
        let numbers = |bits: &u32| !f32::from_bits(*bits).is_nan();
        assert!(
            expected.zip(&got).all(|(one, got)| one == got.to_bits() || !numbers(&one)),
            "{scale} {more}"
        );
    }
    let wrong = prepared.set("u_scale", 1).unwrap_err();
    assert_eq!(wrong.to_string(), "the uniform u_scale is of type float, not int");
    // The plan's uniforms must suit the shader.
    let wrong = scaled(&gpu, 300, 1u32).unwrap_err();
    assert_eq!(wrong.to_string(), "the uniform u_scale is of type float, not uint");
}

/// A plan of plans: add 3, scan, keep, scan what was kept, each in the layout that it wants.
fn plans_are_appended_and_gathered_between() {
    let gpu = rasterscan_runner::gpu();
    let data: Vec<u32> = numbers(3000).iter().map(|word| word % 100).collect();
    let spec = ScanSpec::new::<u32>(data.len());
    let keep = CompactSpec::new::<u32>(data.len()).keep(Condition::new(Comparison::Less, 60_000u32));
    let sums = scan::sequential(&spec, &data.iter().map(|value| value + 3).collect::<Vec<u32>>()).unwrap();
    let kept = compact::sequential(&keep, &sums, &[]).unwrap().values;
    let last = scan::sequential(&ScanSpec::new::<u32>(kept.len()), &kept).unwrap();
    let mut ran = 0;
    for [first, compaction, second] in [
        ["horn", "packed", "hybrid:reduce=3"],
        ["packed", "histopyramid", "packed:block=2"],
        ["look_back:vectors=1", "select:vectors=1", "packed"],
        ["packed", "blocks:draw=quads,ends=fetched", "look_back:vectors=1"],
    ] {
        let choose =
            rasterscan::tools::registry::Choice::parse(rasterscan::tools::problem::COMPACT, compaction)
                .unwrap();
        let parts = [
            choice(first).plan(&spec, gpu.device()),
            choose.plan(&keep, gpu.device()),
            choice(second).plan(&spec, gpu.device()),
        ];
        let Ok(parts) = parts.into_iter().collect::<Result<Vec<Option<Plan>>, Error>>() else { continue };
        let parts: Vec<Plan> = parts.into_iter().map(|part| part.unwrap()).collect();
        // Draws read a buffer only where it can be a texture.
        let buffers = parts.iter().filter(|part| part.layout(part.input()).storage != Storage::Texture);
        if gpu.device().max_buffer_texels == 0 && ![0, 3].contains(&buffers.count()) {
            continue;
        }
        let add = adding(&gpu, spec.len);
        let mut plan = Plan::new("all", add.item().clone(), *add.layout(add.input()));
        let added = plan.append_plan(&add, &[plan.input()]).unwrap();
        let scanned = plan.append_plan(&parts[0], &added).unwrap();
        let moved = plan.append_plan(&parts[1], &scanned).unwrap();
        let values = *moved.iter().find(|slot| plan.slots()[slot.index()].name == "values").unwrap();
        let count = *moved.iter().find(|slot| plan.slots()[slot.index()].name == "count").unwrap();
        let again = plan.append_plan(&parts[2], &[values]).unwrap()[0];
        let plan = plan.finish_with(vec![again, count]);
        let mut prepared = gpu.prepare(&plan).unwrap();
        prepared.set("u_more", Uniform::Int(3)).unwrap();
        let input = prepared.upload(&data).unwrap();
        let outputs = prepared.run([&input]).unwrap();
        let count = u64::from(outputs.get("count").unwrap().read::<u32>().unwrap()[0]);
        assert_eq!(count, kept.len() as u64, "{first}, {compaction}, {second}");
        let found = outputs.first().read_first::<u32>(count).unwrap();
        assert_eq!(found, last, "{first}, {compaction}, {second}\n{plan}");
        // Costs and scopes of all parts are in the sum.
        assert!(plan.cost().words_read > parts.iter().map(|part| part.cost().words_read).sum());
        assert_eq!(plan.scopes().len(), 2 + parts.iter().map(|part| part.scopes().len()).sum::<usize>());
        ran += 1;
    }
    assert!(ran >= 2, "{ran} combinations");
}

fn one_call_gives_one_result() {
    let gpu = rasterscan_runner::gpu();
    for len in [0, 1, 2, 1000, 30_000] {
        let data = numbers(len);
        let spec = ScanSpec::new::<u32>(len);
        assert_eq!(gpu.scan(&data).unwrap(), scan::sequential(&spec, &data).unwrap(), "{len}");
        let largest = spec.operator(Operator::MAX).exclusive();
        let expected = scan::sequential(&largest, &data).unwrap();
        assert_eq!(gpu.scan_by(&largest, &data).unwrap(), expected, "{len}");
        let condition = Condition::new(Comparison::Less, 1u32 << 30);
        let expected: Vec<u32> = data.iter().copied().filter(|&number| number < 1 << 30).collect();
        assert_eq!(gpu.compact(&data, condition).unwrap(), expected, "{len}");
        let sum = data.iter().fold(0u32, |sum, number| sum.wrapping_add(*number));
        assert_eq!(gpu.sum(&data).unwrap(), sum, "{len}");
        let longs: Vec<i64> = data.iter().map(|&number| i64::from(number) - (1 << 31)).collect();
        assert_eq!(gpu.sum(&longs).unwrap(), longs.iter().sum::<i64>(), "{len}");
        let spec = rasterscan::ReduceSpec::new::<u32>(len).operator(Operator::MIN);
        assert_eq!(gpu.reduce_by(&spec, &data).unwrap(), [data.iter().copied().min().unwrap_or(u32::MAX)]);
    }
    let wrong = gpu.scan_by(&ScanSpec::new::<u32>(5), &[1u32, 2]);
    assert!(matches!(wrong, Err(Error::Length { got: 2, expected: 5, .. })));
    let wrong = gpu.compact(&[1u32], Condition::new(Comparison::Less, 1i32));
    assert!(matches!(wrong, Err(Error::Spec(_))));
}

crate::tests![
    one_call_gives_one_result,
    textures_of_any_shape_are_scanned,
    channels_of_any_format_are_scanned,
    buffers_are_scanned_in_place,
    what_cannot_be_wrapped_is_refused,
    results_of_the_callers_own_stay,
    a_compaction_leaves_three_results_of_the_callers_own,
    reads_in_place_and_later_are_the_same,
    one_plan_serves_many_values_of_a_uniform,
    uniforms_are_floats_and_unsigned_too,
    plans_are_appended_and_gathered_between,
];
