import { LIGHT, SHINE } from '../drawing.ts'

const numbers = (values: readonly number[]): string => values.map((value) => value.toFixed(4)).join(', ')

/** What `flat/shade.ts` computes. */
const SHADE = `
vec3 shade(vec3 color, vec3 n) {
  float rim = n.z < 0.35 ? 0.5 + n.z * 1.43 : 1.0;
  float strength = (0.5 + 0.56 * max(0.0, dot(n, vec3(${numbers(LIGHT)})))) * rim;
  float turned = max(0.0, dot(n, vec3(${numbers(SHINE)})) - 0.9);
  return color * strength + turned * turned * 16.47;
}`

/** What all have: the crystal turned, in Å from the middle of the picture; \`view\` is half of the picture in Å. */
const COMMON = `#version 300 es
precision highp float;
uniform mat3 rotation;
uniform vec3 center;
uniform vec2 view;
uniform float depth;
uniform vec3 ground;
uniform float radius;
uniform float pixel;
`

const PLACE = `
vec3 seen(vec3 place) { return rotation * (place - center); }
float pale(float z) { return clamp(0.2 * (1.0 - z / radius), 0.0, 0.4); }
vec4 placed(vec3 at) { return vec4(at.xy / view, -at.z / depth, 1.0); }
`

/** A ball is a square with the point of its surface worked out in each pixel; of a mixture, also which of its three slices is there. */
export const BALL_VERTEX = `${COMMON}${PLACE}
in vec2 corner;
in vec3 place;
in vec2 size;
in vec3 color;
in vec3 second;
in vec3 third;
in vec2 ends;
out vec2 at;
out vec3 base;
out vec3 more;
out vec3 most;
flat out vec2 limits;
flat out float middle;
flat out vec2 ball;
void main() {
  vec3 p = seen(place);
  ball = size;
  middle = p.z;
  at = corner * (1.0 + pixel / size.x);
  base = mix(color, ground, pale(p.z));
  more = mix(second, ground, pale(p.z));
  most = mix(third, ground, pale(p.z));
  limits = ends;
  gl_Position = placed(vec3(p.xy + at * size.x, p.z));
}`

export const BALL_FRAGMENT = `${COMMON}${SHADE}
in vec2 at;
in vec3 base;
in vec3 more;
in vec3 most;
flat in vec2 limits;
flat in float middle;
flat in vec2 ball;
out vec4 result;
void main() {
  float far = length(at);
  float share = clamp(min(1.0 - far, ball.y > 0.0 ? far - ball.y : 1.0) * ball.x / pixel + 0.5, 0.0, 1.0);
  if (share <= 0.0) discard;
  float lift = sqrt(max(0.0, 1.0 - far * far));
  vec3 n = ball.y > 0.0 ? vec3(0.0, 0.0, 1.0) : far > 1.0 ? vec3(at / far, 0.0) : vec3(at, lift);
  gl_FragDepth = 0.5 - 0.5 * (middle + lift * ball.x) / depth;
  vec3 color = base;
  if (limits.x < 1.0) {
    float turn = atan(at.x, at.y) / 6.2831853;
    if (turn < 0.0) turn += 1.0;
    color = turn < limits.x ? base : turn < limits.y ? more : most;
  }
  result = vec4(shade(color, n), share);
}`

/** A rod is a stripe around its axis as it is seen; its surface is worked out in each pixel. */
export const ROD_VERTEX = `${COMMON}${PLACE}
in vec2 corner;
in vec3 from;
in vec3 to;
in vec3 colorFrom;
in vec3 colorTo;
uniform float size;
out vec2 at;
flat out vec3 start;
flat out vec3 arm;
flat out vec3 first;
flat out vec3 second;
void main() {
  start = seen(from);
  vec3 end = seen(to);
  arm = end - start;
  first = mix(colorFrom, ground, pale(start.z));
  second = mix(colorTo, ground, pale(end.z));
  float flatLength = max(length(arm.xy), 1e-5);
  vec2 m = arm.xy / flatLength;
  float wide = size + pixel;
  float along = corner.x < 0.0 ? -wide : flatLength + wide;
  at = vec2(along, corner.y * wide);
  gl_Position = placed(vec3(start.xy + m * along + vec2(-m.y, m.x) * at.y, start.z));
}`

export const ROD_FRAGMENT = `${COMMON}${SHADE}
uniform float size;
uniform float isRound;
in vec2 at;
flat in vec3 start;
flat in vec3 arm;
flat in vec3 first;
flat in vec3 second;
out vec4 result;
void main() {
  float flatLength = max(length(arm.xy), 1e-5);
  float whole = length(arm);
  vec2 m = arm.xy / flatLength;
  float share = clamp((size - abs(at.y)) / pixel + 0.5, 0.0, 1.0);
  if (share <= 0.0) discard;
  float side = clamp(at.y / size, -1.0, 1.0);
  float lift = sqrt(1.0 - side * side);
  float sine = arm.z / whole;
  float cosine = flatLength / whole;
  float along = at.x + lift * size * sine;
  if (along < 0.0 || along > flatLength) discard;
  float z = start.z + along * arm.z / flatLength + lift * size * cosine;
  gl_FragDepth = 0.5 - 0.5 * z / depth;
  vec3 color = along * 2.0 < flatLength ? first : second;
  vec3 n = vec3(vec2(-m.y, m.x) * side - m * lift * sine, lift * cosine);
  result = vec4(isRound > 0.5 ? shade(color, n) : color, share);
}`

export const FACE_VERTEX = `${COMMON}${PLACE}
in vec3 place;
in vec3 normal;
in vec3 color;
out vec3 base;
void main() {
  base = color * (0.7 + 0.3 * abs((rotation * normal).z));
  gl_Position = placed(seen(place));
}`

export const FACE_FRAGMENT = `${COMMON}
uniform float opacity;
in vec3 base;
out vec4 result;
void main() { result = vec4(base, opacity); }`
