// Three rings of splats, each through the next one: x, y, z and the number of the ring.
export function scene(count) {
    const number = (index, salt) => {
        let mixed = Math.imul(index ^ (salt << 24), 2654435761);
        mixed = Math.imul(mixed ^ (mixed >>> 15), 2246822519);
        return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
    };
    const splats = new Float32Array(4 * count);
    for (let index = 0; index < count; index++) {
        const [along, around] = [1, 2].map((salt) => number(index, salt) * 2 * Math.PI);
        const thickness = 0.2 * Math.sqrt(number(index, 3));
        const fromAxis = 0.9 + thickness * Math.cos(around);
        const place = [fromAxis * Math.cos(along) + 0.45, fromAxis * Math.sin(along), thickness * Math.sin(around)];
        for (let axis = 0; axis < 3; axis++) splats[4 * index + axis] = place[(axis + (index % 3)) % 3];
        splats[4 * index + 3] = index % 3;
    }
    return splats;
}

// The depths of the scene's middle, of what is nearest and of what is farthest.
export const MIDDLE = 4;
export const NEAR = 2;
export const FAR = 6;
