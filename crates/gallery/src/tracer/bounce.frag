// A bounce of a ray. crates/gallery/src/scene.rs has the same in Rust.
#include <streams>
uniform float u_glass, u_least, u_light_x, u_light_y, u_light_z;
layout(location = 0) out vec4 o_from;   // and the number of the pixel
layout(location = 1) out vec4 o_along;  // and the share of the pixel
layout(location = 2) out vec4 o_colour;
layout(location = 3) out uvec4 o_alive;

int hit(vec3 from, vec3 along, out float nearest) {
    int number = -1;
    nearest = 1e9;
    for (int i = 0; i < places_len(); i++) {
        vec4 ball = places_at(i);
        vec3 to = from - ball.xyz;
        float middle = -dot(to, along), inside = middle * middle - dot(to, to) + ball.w * ball.w;
        float half_chord = sqrt(max(inside, 0.0));
        float t = middle - half_chord > 1e-3 ? middle - half_chord : middle + half_chord;
        if (inside >= 0.0 && t > 1e-3 && t < nearest) {
            nearest = t;
            number = i;
        }
    }
    float t = -from.y / along.y;
    if (t > 1e-3 && t < nearest) {
        nearest = t;
        number = places_len();
    }
    return number;
}

void main() {
    vec4 begin = from_at(target_index()), ray = along_at(target_index());
    vec3 along = ray.xyz;
    o_from = begin;
    o_along = vec4(0.0);
    o_colour = vec4(0.0);
    o_alive = uvec4(0u);
    if (ray.w > 0.0) {
        float distance_there;
        int number = hit(begin.xyz, along, distance_there);
        if (number < 0) {
            float high = sqrt(max(along.y, 0.0));
            o_colour.rgb = ray.w * vec3(0.92 - 0.5 * high, 0.95 - 0.3 * high, 1.0);
        } else {
            vec3 place = begin.xyz + along * distance_there, normal = vec3(0.0, 1.0, 0.0);
            bool is_dark = mod(floor(place.x) + floor(place.z), 2.0) > 0.5;
            float near = 1.0 - clamp((distance_there - 3.0) / 14.0, 0.0, 1.0);
            vec4 look = vec4(0.62, 0.63, 0.62, 0.0) + (is_dark ? -near : near) * vec4(0.31, 0.27, 0.2, 0.0);
            if (number < places_len()) {
                normal = normalize(place - places_at(number).xyz);
                look = looks_at(number);
            }
            bool is_outside = dot(normal, along) < 0.0;
            normal = is_outside ? normal : -normal;
            vec3 light = normalize(vec3(u_light_x, u_light_y, u_light_z)), mirrored = reflect(along, normal);
            float unused;
            int other = hit(place, light, unused);
            bool is_lit = other < 0 || other == places_len() || looks_at(other).w == u_glass;
            float lit = is_lit ? 1.0 : 0.0;
            float bright = lit * pow(max(dot(mirrored, light), 0.0), 60.0);
            float matte = 0.25 + 0.75 * lit * max(dot(normal, light), 0.0);
            float own = 1.0 - look.w, kept = look.w;
            vec3 next = mirrored;
            if (look.w == u_glass) {
                vec3 bent = refract(along, normal, is_outside ? 1.0 / 1.5 : 1.5);
                next = bent == vec3(0.0) ? mirrored : bent;
                own = 0.0;
                kept = 0.92;
            }
            o_colour.rgb = ray.w * (own * matte * look.rgb + 0.6 * bright);
            float share = ray.w * kept;
            o_from.xyz = place;
            o_along = share >= u_least ? vec4(next, share) : vec4(0.0);
            o_alive = uvec4(share >= u_least ? 1u : 0u);
        }
    }
}
