use rasterscan::*; use rasterscan::plan::*;
use glow::HasContext;
fn med(p: &mut Prepared, input: &Stream, reps: usize) -> f64 { let mut ts: Vec<f64> = (0..reps).map(|_| p.time(input).unwrap().total.as_secs_f64()*1e3).collect(); ts.sort_by(f64::total_cmp); ts[ts.len()/2] }
const HEAD: &str = "#include \"common/item.glsl\"\n#include \"common/stream.glsl\"\nuniform Sampler u_s; uniform ivec4 u_s_shape; layout(location=0) out Texel o;\nuint sum4(uvec4 t){return (t.x+t.y)+(t.z+t.w);}\n";
fn main() -> Result<(), Error> {
    let gpu = Gpu::headless()?;
    println!("{}", gpu.device());
    let item = ItemType { element: ElementType::U32, operator: Operator::Add };
    for bits in [20u32, 24] {
        let n = 1u64 << bits;
        let data: Vec<u32> = (0..n as u32).map(|i| i.wrapping_mul(2654435761) >> 7).collect();
        let src = Layout::square(gpu.device(), ElementType::U32, 1, 4, n, 8)?;
        let copy = { let p = measure::copy_texture(&ScanSpec::new::<u32>(n as usize), gpu.device())?; let mut p = gpu.prepare(&p)?; let i = p.upload(&data)?; med(&mut p, &i, 30) };
        println!("2^{bits} copy {copy:.4}");
        let tgt = |items: u32, len: u64, width: u32| Layout { element: ElementType::U32, arity: 1, items_per_texel: items, len, width, height: 1 }.with_len(len);
        let w = src.width;
        let b = |block: u64| n / 4 / block;
        let unroll = |blk: u32| { let mut s = String::new(); for i in 0..blk { s += &format!("uvec4 t{i} = texelFetch(u_s, at + ivec2({i},0), 0);\n"); } s += "uint sum = 0u;\n"; for i in 0..blk { s += &format!("sum += sum4(t{i});\n"); } s };
        let unroll2 = |blk: u32, rows: u32| { let mut s = String::new(); for j in 0..rows { for i in 0..blk { s += &format!("uvec4 t{j}_{i} = texelFetch(u_s, at + ivec2({},0), 0);\n", i + j*blk); } } s += "uvec4 sum = uvec4(0u);\n"; for j in 0..rows { for i in 0..blk { s += &format!("sum[{j}] += sum4(t{j}_{i});\n"); } } s };
        let mut variants: Vec<(String, String, Layout, u64)> = vec![];
        for blk in [2u32, 4, 8, 16, 32] {
            let lin1 = format!("{HEAD}void main(){{ ivec2 h = ivec2(gl_FragCoord.xy); ivec2 at = texel_at((h.y*{tw}+h.x)*{blk}, u_s_shape);\n{}o = uvec4(sum,0u,0u,0u);}}", unroll(blk), tw = w);
            variants.push((format!("scalar linear {blk}"), lin1, tgt(1, b(blk as u64), w), blk as u64));
            let row1 = format!("{HEAD}void main(){{ ivec2 h = ivec2(gl_FragCoord.xy); ivec2 at = ivec2(h.x*{blk}, h.y);\n{}o = uvec4(sum,0u,0u,0u);}}", unroll(blk));
            variants.push((format!("scalar rows   {blk}"), row1, tgt(1, b(blk as u64), w / blk), blk as u64));
            if blk <= 8 {
            let lin4 = format!("{HEAD}void main(){{ ivec2 h = ivec2(gl_FragCoord.xy); ivec2 at = texel_at((h.y*{tw}+h.x)*{}, u_s_shape);\n{}o = sum;}}", blk*4, unroll2(blk, 4), tw = w);
            variants.push((format!("packed linear {blk}"), lin4, tgt(4, b(blk as u64), w), blk as u64));
            let row4 = format!("{HEAD}void main(){{ ivec2 h = ivec2(gl_FragCoord.xy); ivec2 at = ivec2(h.x*{}, h.y);\n{}o = sum;}}", blk*4, unroll2(blk, 4));
            variants.push((format!("packed rows   {blk}"), row4, tgt(4, b(blk as u64), w / blk / 4), blk as u64));
            }
        }
        for (name, source, layout, blk) in variants {
            let mut plan = Plan::new("lab", item, src);
            let t = plan.slot("t", layout); let i = plan.input();
            plan.draw("r", Shader::new("lab.frag", source.leak())).read("u_s", i).write(t);
            let plan = plan.finish(t);
            let mut p = gpu.prepare(&plan)?;
            let input = p.upload(&data)?;
            let out: Vec<u32> = p.run(&input)?.read()?;
            let ok = out.iter().zip(data.chunks(4 * blk as usize)).all(|(o, c)| *o == c.iter().fold(0u32, |a, b| a.wrapping_add(*b)));
            let t = med(&mut p, &input, 30);
            println!("2^{bits} {name} {:.4} ms {:.3} copies {} ({} x {})", t, t/copy, ok, layout.width, layout.height);
        }
    }
    // chains of tiny passes, raw
    let gl = gpu.glow().clone();
    unsafe {
        let vs = "#version 330 core\nvoid main(){ vec2 c = vec2(float((gl_VertexID<<1)&2), float(gl_VertexID&2)); gl_Position = vec4(c*2.0-1.0,0.0,1.0);}";
        let fs = "#version 330 core\nuniform usampler2D s; uniform ivec2 d; layout(location=0) out uvec4 o; void main(){ ivec2 h = ivec2(gl_FragCoord.xy); o = texelFetch(s, h, 0) + texelFetch(s, max(h - d, 0), 0);}";
        let prog = gl.create_program().unwrap();
        for (k, s) in [(glow::VERTEX_SHADER, vs), (glow::FRAGMENT_SHADER, fs)] { let sh = gl.create_shader(k).unwrap(); gl.shader_source(sh, s); gl.compile_shader(sh); assert!(gl.get_shader_compile_status(sh), "{}", gl.get_shader_info_log(sh)); gl.attach_shader(prog, sh); }
        gl.link_program(prog);
        let loc = gl.get_uniform_location(prog, "d");
        let vao = gl.create_vertex_array().unwrap(); gl.bind_vertex_array(Some(vao));
        for size in [32i32, 128] {
        let tex: Vec<_> = (0..3).map(|_| { let t = gl.create_texture().unwrap(); gl.bind_texture(glow::TEXTURE_2D, Some(t)); gl.tex_image_2d(glow::TEXTURE_2D, 0, glow::R32UI as i32, size, size, 0, glow::RED_INTEGER, glow::UNSIGNED_INT, glow::PixelUnpackData::Slice(None)); gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_MIN_FILTER, glow::NEAREST as i32); gl.tex_parameter_i32(glow::TEXTURE_2D, glow::TEXTURE_MAG_FILTER, glow::NEAREST as i32); t }).collect();
        let fbo: Vec<_> = (0..2).map(|i| { let f = gl.create_framebuffer().unwrap(); gl.bind_framebuffer(glow::FRAMEBUFFER, Some(f)); gl.framebuffer_texture_2d(glow::FRAMEBUFFER, glow::COLOR_ATTACHMENT0, glow::TEXTURE_2D, Some(tex[i]), 0); f }).collect();
        let both = gl.create_framebuffer().unwrap(); gl.bind_framebuffer(glow::FRAMEBUFFER, Some(both));
        for i in 0..2 { gl.framebuffer_texture_2d(glow::FRAMEBUFFER, glow::COLOR_ATTACHMENT0 + i as u32, glow::TEXTURE_2D, Some(tex[i]), 0); }
        gl.use_program(Some(prog)); gl.active_texture(glow::TEXTURE0); gl.viewport(0,0,size,size);
        let query = gl.create_query().unwrap();
        for variant in 0..6 {
            let mut best = f64::MAX;
            for _ in 0..10 {
                gl.finish();
                gl.begin_query(glow::TIME_ELAPSED, query);
                for i in 0..100usize {
                    match variant {
                        0 => { gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, Some(fbo[i&1])); gl.bind_texture(glow::TEXTURE_2D, Some(tex[1-(i&1)])); gl.uniform_2_i32(loc.as_ref(), i as i32 & 7, 0); }
                        1 => { gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, Some(fbo[i&1])); gl.bind_texture(glow::TEXTURE_2D, Some(tex[1-(i&1)])); }
                        2 => { gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, Some(both)); gl.draw_buffers(if i&1==0 {&[glow::COLOR_ATTACHMENT0]} else {&[glow::COLOR_ATTACHMENT1]}); gl.bind_texture(glow::TEXTURE_2D, Some(tex[1-(i&1)])); }
                        3 => { gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, Some(fbo[i&1])); gl.bind_texture(glow::TEXTURE_2D, Some(tex[2])); }
                        4 => { gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, Some(fbo[0])); gl.bind_texture(glow::TEXTURE_2D, Some(tex[2])); }
                        _ => { gl.bind_framebuffer(glow::DRAW_FRAMEBUFFER, Some(fbo[0])); gl.bind_texture(glow::TEXTURE_2D, Some(tex[2])); gl.uniform_2_i32(loc.as_ref(), i as i32 & 7, 0); }
                    }
                    gl.draw_arrays(glow::TRIANGLES, 0, 3);
                }
                gl.end_query(glow::TIME_ELAPSED);
                best = best.min(gl.get_query_parameter_u64(query, glow::QUERY_RESULT) as f64 / 100.0 / 1000.0);
            }
            println!("{size}: chain variant {variant}: {best:.3} us a pass");
        }}
    }
    Ok(())
}
