// A viewer of Gaussian splats on three.js. A splat is mixed with what is behind it, so the farthest must be drawn first: in
// every frame they are sorted by depth, by rasterscan in the renderer's own context or by a worker. `?splats=20000` sets
// their number.
import * as THREE from "three";
import { attach } from "rasterscan";
import { FAR, MIDDLE, NEAR, scene } from "./scene.js";

const SHADER = { glslVersion: THREE.GLSL3, transparent: true, depthTest: false, depthWrite: false };
const VERTEX = `
    uniform highp sampler2D u_splats;
    uniform highp usampler2D u_order;
    uniform int u_items; // in a texel of the order
    uniform vec2 u_camera;
    in vec3 position;
    out vec2 v_corner;
    out vec3 v_colour;

    vec4 texel(highp sampler2D texels, int t) {
        int width = textureSize(texels, 0).x;
        return texelFetch(texels, ivec2(t % width, t / width), 0);
    }

    void main() {
        int t = gl_InstanceID / u_items, width = textureSize(u_order, 0).x;
        uint index = texelFetch(u_order, ivec2(t % width, t / width), 0)[gl_InstanceID % u_items];
        vec4 splat = texel(u_splats, int(index));
        float depth = ${MIDDLE}.0 + dot(splat.xz, u_camera);
        float right = dot(splat.xz, vec2(u_camera.y, -u_camera.x));
        v_corner = position.xy;
        gl_Position = vec4(2.2 * right + 0.06 * position.x, 2.2 * splat.y + 0.06 * position.y, 0.0, depth);
        vec3 colour = splat.w < 0.5 ? vec3(0.9, 0.3, 0.2) : splat.w < 1.5 ? vec3(0.2, 0.7, 0.3) : vec3(0.2, 0.4, 0.9);
        v_colour = colour * clamp(1.7 - 0.3 * depth, 0.1, 1.0);
    }`;
const FRAGMENT = `
    precision highp float;
    in vec2 v_corner;
    in vec3 v_colour;
    out vec4 o_colour;
    void main() { o_colour = vec4(v_colour, 0.6 * exp(-3.0 * dot(v_corner, v_corner))); }`;
// The farthest depth has the lowest key.
const KEY = `
    uniform float u_x;
    uniform float u_z;
    uint key(vec4 splat, int index) {
        float depth = ${MIDDLE}.0 + splat.x * u_x + splat.z * u_z;
        return uint(clamp((${FAR}.0 - depth) * ${65535 / (FAR - NEAR)}, 0.0, 65535.0));
    }`;

const count = Number(new URLSearchParams(location.search).get("splats") ?? 100000);
const select = document.querySelector("#count");
for (const some of new Set([count, 100000, 300000, 1000000])) select.add(new Option(some, some));
select.onchange = () => (location.search = `splats=${select.value}`);

const renderer = new THREE.WebGLRenderer({ canvas: document.querySelector("canvas"), antialias: false });
renderer.setClearColor(0xffffff);
const gl = renderer.getContext();

/** A texture of three's that holds numbers in rows of a power of two. */
function texture(numbers, channels, format, type, internalFormat) {
    const width = 2 ** Math.ceil(Math.log2(Math.sqrt(numbers.length / channels)));
    const height = Math.ceil(numbers.length / channels / width);
    const room = new numbers.constructor(width * height * channels);
    room.set(numbers);
    const texture = new THREE.DataTexture(room, width, height, format, type);
    texture.internalFormat = internalFormat;
    texture.needsUpdate = true;
    renderer.initTexture(texture);
    return texture;
}

const splats = scene(count);
const positions = texture(splats, 4, THREE.RGBAFormat, THREE.FloatType, "RGBA32F");
const uploaded = texture(new Uint32Array(count), 1, THREE.RedIntegerFormat, THREE.UnsignedIntType, "R32UI");

// The sort on the GPU: from three's texture of positions to one of indices that three draws with.
const rs = await attach(gl, { openColorMask: true }); // as three leaves it
const { width, height } = positions.image;
const host = rs.texture(renderer.properties.get(positions).__webglTexture, { width, height, format: "RGBA32F", length: count });
const plan = await rs.prepare("sort", host, { moves: "indices", bits: "0..16", key: { glsl: KEY } });
const sorted = new THREE.ExternalTexture(plan.run().texture);

const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
worker.postMessage({ splats });

const quad = new THREE.InstancedBufferGeometry();
quad.setAttribute("position", new THREE.BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0]), 3));
quad.setIndex([0, 1, 2, 2, 1, 3]);
quad.instanceCount = count;
const uniforms = {
    u_splats: { value: positions },
    u_order: { value: sorted },
    u_items: { value: 1 },
    u_camera: { value: new THREE.Vector2() },
};
const material = new THREE.RawShaderMaterial({ ...SHADER, uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT });
const mesh = new THREE.Mesh(quad, material);
mesh.frustumCulled = false;
const picture = new THREE.Scene().add(mesh);
const camera = new THREE.Camera();

const show = (name, milliseconds) => (document.querySelector(`#${name}`).textContent = milliseconds.toFixed(2));
const passed = (fence) =>
    new Promise((done) => {
        const poll = () => {
            if (gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.SIGNALED) done(gl.deleteSync(fence));
            else setTimeout(poll);
        };
        poll();
    });

/** How many splats' depths lie before a nearer one's, by more than a step of the keys; an order that is none counts as all. */
function inversions(order, [x, z]) {
    const step = (1.1 * (FAR - NEAR)) / 65535;
    const seen = new Set(order.subarray(0, count));
    if (seen.size !== count || order.subarray(0, count).some((index) => index >= count)) return count;
    let wrong = 0;
    let nearest = Infinity;
    for (const index of order.subarray(0, count)) {
        const depth = splats[4 * index] * x + splats[4 * index + 2] * z;
        if (depth > nearest + step) wrong++;
        nearest = Math.min(nearest, depth);
    }
    return wrong;
}

let frame = 0;
let busy = false;
let last;

async function draw() {
    const angle = 0.3 + frame * 0.02;
    const direction = [Math.fround(Math.sin(angle)), Math.fround(Math.cos(angle))];
    const by = document.querySelector("[name=by]:checked").value;
    const begin = performance.now();
    if (by === "gpu") {
        plan.set("u_x", direction[0]);
        plan.set("u_z", direction[1]);
        const order = plan.run();
        show("gpu-page", performance.now() - begin);
        const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
        gl.flush();
        passed(fence).then(() => show("gpu-sort", performance.now() - begin));
        uniforms.u_order.value = sorted;
        uniforms.u_items.value = order.itemsPerTexel;
        last = { direction, read: () => order.read() };
    } else {
        const { order } = await new Promise((done) => {
            worker.onmessage = ({ data }) => done(data);
            worker.postMessage({ camera: direction, room: uploaded.image.data.length });
        });
        const arrived = performance.now();
        uploaded.image.data.set(order);
        uploaded.needsUpdate = true;
        renderer.initTexture(uploaded);
        show("worker-sort", performance.now() - begin);
        show("worker-page", performance.now() - arrived);
        uniforms.u_order.value = uploaded;
        uniforms.u_items.value = 1;
        last = { direction, read: async () => order };
    }
    uniforms.u_camera.value.set(...direction);
    renderer.render(picture, camera);
    frame++;
    // One frame at a time: a renderer in software would have many to draw before it answers.
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    await passed(fence);
}

renderer.setAnimationLoop(async () => {
    if (busy) return;
    busy = true;
    await draw();
    busy = false;
});

/** For tests: frames so far, and how far the last order is from one by depth. */
window.viewer = {
    frames: () => frame,
    inversions: async () => {
        busy = true;
        const { direction, read } = last;
        const wrong = inversions(await read(), direction);
        busy = false;
        return wrong;
    },
};
