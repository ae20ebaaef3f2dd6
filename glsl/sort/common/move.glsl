// The texel of the results: keys and PAYLOADS further streams, moved from where they were found.
// A shader includes <streams> before it.

layout(location = 0) out uvec4 o_keys;
#if PAYLOADS > 0
layout(location = 1) out uvec4 o_payload;
#endif
#if PAYLOADS > 1
layout(location = 2) out uvec4 o_payload_2;
#endif
#if PAYLOADS > 2
layout(location = 3) out uvec4 o_payload_3;
#endif

// From the items at these indices; -1 where there is none.
void move_from(ivec4 index) {
    o_keys = uvec4(keys_at(index.x), keys_at(index.y), keys_at(index.z), keys_at(index.w));
#if PAYLOADS > 0
    o_payload = uvec4(payload_at(index.x), payload_at(index.y), payload_at(index.z), payload_at(index.w));
#endif
#if PAYLOADS > 1
    o_payload_2 =
        uvec4(payload_2_at(index.x), payload_2_at(index.y), payload_2_at(index.z), payload_2_at(index.w));
#endif
#if PAYLOADS > 2
    o_payload_3 =
        uvec4(payload_3_at(index.x), payload_3_at(index.y), payload_3_at(index.z), payload_3_at(index.w));
#endif
}
