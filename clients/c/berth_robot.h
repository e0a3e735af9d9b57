/*
 * Robot kit of Berth: a robot controller in C99 and POSIX, one header, no library but libm (docs/robot-kit.md).
 * Include it first, or define _DEFAULT_SOURCE. Lines: ws:// over TCP, and serial ports; wss:// needs a TLS proxy such as stunnel.
 */
#ifndef BERTH_ROBOT_H
#define BERTH_ROBOT_H

#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/* layout: made by `npm run docs:kits` from hil/protocol/layout.ts, not to be edited */
#define BERTH_VERSION 0x10
#define BERTH_VERSION_MIN 0x10
#define BERTH_LAYOUT_HASH 0xCBEEEDAAu
enum {
  BERTH_HELLO = 0x01,
  BERTH_CONFIG = 0x02,
  BERTH_CONFIG_ACK = 0x03,
  BERTH_SYNC = 0x04,
  BERTH_HEARTBEAT = 0x05,
  BERTH_BYE = 0x06,
  BERTH_SETPOINT = 0x10,
  BERTH_STATE = 0x11,
  BERTH_ARM = 0x20,
  BERTH_ARM_ACK = 0x21,
  BERTH_STOP = 0x22,
  BERTH_FAULT = 0x23,
  BERTH_CLEAR = 0x24,
  BERTH_TARE = 0x25,
  BERTH_REJECT = 0x7F,
};
typedef struct {
  uint8_t role;
  uint8_t protocolMin;
  uint8_t protocolMax;
  uint8_t reserved;
  uint32_t layoutHash;
  uint32_t nonce[2];
  uint32_t peerNonce[2];
  char device[32];
  char firmware[16];
  uint32_t periodMin;
  uint32_t periodMax;
  float speed;
  float angularSpeed;
  float acceleration;
  float force;
  float moment;
  float workspace;
  uint32_t capabilities;
} berth_hello;
typedef struct {
  uint8_t version;
  uint8_t tare;
  uint8_t gravity;
  uint8_t frame;
  uint32_t period;
  uint16_t ttlFree;
  uint16_t ttlContact;
  float speed;
  float angularSpeed;
  float acceleration;
  float force;
  float moment;
  float workspace;
  uint32_t session;
} berth_config;
typedef struct {
  uint8_t version;
  uint8_t reserved[3];
  uint32_t period;
  uint32_t session;
} berth_config_ack;
typedef struct {
  uint64_t t1;
  uint64_t t2;
  uint64_t t3;
} berth_sync;
typedef struct {
  uint32_t phase;
} berth_heartbeat;
typedef struct {
  uint32_t reason;
} berth_bye;
typedef struct {
  double position[3];
  float orientation[4];
  float twist[6];
  float wrench[6];
  uint8_t mode;
  uint8_t stopCategory;
  uint16_t ttl;
  uint32_t ackSeq;
} berth_setpoint;
typedef struct {
  double position[3];
  float orientation[4];
  float twist[6];
  float wrench[6];
  uint8_t linkState;
  uint8_t safety;
  uint8_t quality;
  uint8_t ctlMode;
  uint32_t fault;
  uint32_t echoSeq;
  uint16_t cmdAge;
  uint16_t lostInRow;
  uint16_t ftAge;
  uint16_t success;
  uint64_t tMeas;
} berth_state;
typedef struct {
  uint32_t request;
} berth_arm;
typedef struct {
  uint32_t request;
  uint32_t accepted;
} berth_arm_ack;
typedef struct {
  uint32_t category;
  uint32_t request;
} berth_stop;
typedef struct {
  uint32_t code;
  uint32_t detail;
} berth_fault;
typedef struct {
  uint32_t request;
} berth_clear;
typedef struct {
  uint32_t request;
} berth_tare;
typedef struct {
  uint8_t code;
  uint8_t refused;
  uint8_t protocolMin;
  uint8_t protocolMax;
  uint32_t layoutHash;
  float value;
  float limit;
  char text[128];
} berth_reject;
typedef union {
  berth_hello hello;
  berth_config config;
  berth_config_ack config_ack;
  berth_sync sync;
  berth_heartbeat heartbeat;
  berth_bye bye;
  berth_setpoint setpoint;
  berth_state state;
  berth_arm arm;
  berth_arm_ack arm_ack;
  berth_stop stop;
  berth_fault fault;
  berth_clear clear;
  berth_tare tare;
  berth_reject reject;
} berth_values;
/* kind: u integer or character, f and d floating point; offset in the frame, place in the struct */
typedef struct {
  const char *name;
  char kind;
  int size, count, offset;
  size_t place;
} berth_field;
static const berth_field berth_hello_fields[] = {
    {"role", 'u', 1, 1, 16, offsetof(berth_hello, role)},
    {"protocolMin", 'u', 1, 1, 17, offsetof(berth_hello, protocolMin)},
    {"protocolMax", 'u', 1, 1, 18, offsetof(berth_hello, protocolMax)},
    {"reserved", 'u', 1, 1, 19, offsetof(berth_hello, reserved)},
    {"layoutHash", 'u', 4, 1, 20, offsetof(berth_hello, layoutHash)},
    {"nonce", 'u', 4, 2, 24, offsetof(berth_hello, nonce)},
    {"peerNonce", 'u', 4, 2, 32, offsetof(berth_hello, peerNonce)},
    {"device", 'u', 1, 32, 40, offsetof(berth_hello, device)},
    {"firmware", 'u', 1, 16, 72, offsetof(berth_hello, firmware)},
    {"periodMin", 'u', 4, 1, 88, offsetof(berth_hello, periodMin)},
    {"periodMax", 'u', 4, 1, 92, offsetof(berth_hello, periodMax)},
    {"speed", 'f', 4, 1, 96, offsetof(berth_hello, speed)},
    {"angularSpeed", 'f', 4, 1, 100, offsetof(berth_hello, angularSpeed)},
    {"acceleration", 'f', 4, 1, 104, offsetof(berth_hello, acceleration)},
    {"force", 'f', 4, 1, 108, offsetof(berth_hello, force)},
    {"moment", 'f', 4, 1, 112, offsetof(berth_hello, moment)},
    {"workspace", 'f', 4, 1, 116, offsetof(berth_hello, workspace)},
    {"capabilities", 'u', 4, 1, 120, offsetof(berth_hello, capabilities)},
};
static const berth_field berth_config_fields[] = {
    {"version", 'u', 1, 1, 16, offsetof(berth_config, version)},
    {"tare", 'u', 1, 1, 17, offsetof(berth_config, tare)},
    {"gravity", 'u', 1, 1, 18, offsetof(berth_config, gravity)},
    {"frame", 'u', 1, 1, 19, offsetof(berth_config, frame)},
    {"period", 'u', 4, 1, 20, offsetof(berth_config, period)},
    {"ttlFree", 'u', 2, 1, 24, offsetof(berth_config, ttlFree)},
    {"ttlContact", 'u', 2, 1, 26, offsetof(berth_config, ttlContact)},
    {"speed", 'f', 4, 1, 28, offsetof(berth_config, speed)},
    {"angularSpeed", 'f', 4, 1, 32, offsetof(berth_config, angularSpeed)},
    {"acceleration", 'f', 4, 1, 36, offsetof(berth_config, acceleration)},
    {"force", 'f', 4, 1, 40, offsetof(berth_config, force)},
    {"moment", 'f', 4, 1, 44, offsetof(berth_config, moment)},
    {"workspace", 'f', 4, 1, 48, offsetof(berth_config, workspace)},
    {"session", 'u', 4, 1, 52, offsetof(berth_config, session)},
};
static const berth_field berth_config_ack_fields[] = {
    {"version", 'u', 1, 1, 16, offsetof(berth_config_ack, version)},
    {"reserved", 'u', 1, 3, 17, offsetof(berth_config_ack, reserved)},
    {"period", 'u', 4, 1, 20, offsetof(berth_config_ack, period)},
    {"session", 'u', 4, 1, 24, offsetof(berth_config_ack, session)},
};
static const berth_field berth_sync_fields[] = {
    {"t1", 'u', 8, 1, 16, offsetof(berth_sync, t1)},
    {"t2", 'u', 8, 1, 24, offsetof(berth_sync, t2)},
    {"t3", 'u', 8, 1, 32, offsetof(berth_sync, t3)},
};
static const berth_field berth_heartbeat_fields[] = {
    {"phase", 'u', 4, 1, 16, offsetof(berth_heartbeat, phase)},
};
static const berth_field berth_bye_fields[] = {
    {"reason", 'u', 4, 1, 16, offsetof(berth_bye, reason)},
};
static const berth_field berth_setpoint_fields[] = {
    {"position", 'd', 8, 3, 16, offsetof(berth_setpoint, position)},
    {"orientation", 'f', 4, 4, 40, offsetof(berth_setpoint, orientation)},
    {"twist", 'f', 4, 6, 56, offsetof(berth_setpoint, twist)},
    {"wrench", 'f', 4, 6, 80, offsetof(berth_setpoint, wrench)},
    {"mode", 'u', 1, 1, 104, offsetof(berth_setpoint, mode)},
    {"stopCategory", 'u', 1, 1, 105, offsetof(berth_setpoint, stopCategory)},
    {"ttl", 'u', 2, 1, 106, offsetof(berth_setpoint, ttl)},
    {"ackSeq", 'u', 4, 1, 108, offsetof(berth_setpoint, ackSeq)},
};
static const berth_field berth_state_fields[] = {
    {"position", 'd', 8, 3, 16, offsetof(berth_state, position)},
    {"orientation", 'f', 4, 4, 40, offsetof(berth_state, orientation)},
    {"twist", 'f', 4, 6, 56, offsetof(berth_state, twist)},
    {"wrench", 'f', 4, 6, 80, offsetof(berth_state, wrench)},
    {"linkState", 'u', 1, 1, 104, offsetof(berth_state, linkState)},
    {"safety", 'u', 1, 1, 105, offsetof(berth_state, safety)},
    {"quality", 'u', 1, 1, 106, offsetof(berth_state, quality)},
    {"ctlMode", 'u', 1, 1, 107, offsetof(berth_state, ctlMode)},
    {"fault", 'u', 4, 1, 108, offsetof(berth_state, fault)},
    {"echoSeq", 'u', 4, 1, 112, offsetof(berth_state, echoSeq)},
    {"cmdAge", 'u', 2, 1, 116, offsetof(berth_state, cmdAge)},
    {"lostInRow", 'u', 2, 1, 118, offsetof(berth_state, lostInRow)},
    {"ftAge", 'u', 2, 1, 120, offsetof(berth_state, ftAge)},
    {"success", 'u', 2, 1, 122, offsetof(berth_state, success)},
    {"tMeas", 'u', 8, 1, 124, offsetof(berth_state, tMeas)},
};
static const berth_field berth_arm_fields[] = {
    {"request", 'u', 4, 1, 16, offsetof(berth_arm, request)},
};
static const berth_field berth_arm_ack_fields[] = {
    {"request", 'u', 4, 1, 16, offsetof(berth_arm_ack, request)},
    {"accepted", 'u', 4, 1, 20, offsetof(berth_arm_ack, accepted)},
};
static const berth_field berth_stop_fields[] = {
    {"category", 'u', 4, 1, 16, offsetof(berth_stop, category)},
    {"request", 'u', 4, 1, 20, offsetof(berth_stop, request)},
};
static const berth_field berth_fault_fields[] = {
    {"code", 'u', 4, 1, 16, offsetof(berth_fault, code)},
    {"detail", 'u', 4, 1, 20, offsetof(berth_fault, detail)},
};
static const berth_field berth_clear_fields[] = {
    {"request", 'u', 4, 1, 16, offsetof(berth_clear, request)},
};
static const berth_field berth_tare_fields[] = {
    {"request", 'u', 4, 1, 16, offsetof(berth_tare, request)},
};
static const berth_field berth_reject_fields[] = {
    {"code", 'u', 1, 1, 16, offsetof(berth_reject, code)},
    {"refused", 'u', 1, 1, 17, offsetof(berth_reject, refused)},
    {"protocolMin", 'u', 1, 1, 18, offsetof(berth_reject, protocolMin)},
    {"protocolMax", 'u', 1, 1, 19, offsetof(berth_reject, protocolMax)},
    {"layoutHash", 'u', 4, 1, 20, offsetof(berth_reject, layoutHash)},
    {"value", 'f', 4, 1, 24, offsetof(berth_reject, value)},
    {"limit", 'f', 4, 1, 28, offsetof(berth_reject, limit)},
    {"text", 'u', 1, 128, 32, offsetof(berth_reject, text)},
};
typedef struct {
  const char *name;
  int type;
  size_t length;
  int count;
  const berth_field *fields;
} berth_layout;
static const berth_layout berth_layouts[] = {
    {"HELLO", BERTH_HELLO, 124, 18, berth_hello_fields},
    {"CONFIG", BERTH_CONFIG, 56, 14, berth_config_fields},
    {"CONFIG_ACK", BERTH_CONFIG_ACK, 28, 4, berth_config_ack_fields},
    {"SYNC", BERTH_SYNC, 40, 3, berth_sync_fields},
    {"HEARTBEAT", BERTH_HEARTBEAT, 20, 1, berth_heartbeat_fields},
    {"BYE", BERTH_BYE, 20, 1, berth_bye_fields},
    {"SETPOINT", BERTH_SETPOINT, 112, 8, berth_setpoint_fields},
    {"STATE", BERTH_STATE, 132, 15, berth_state_fields},
    {"ARM", BERTH_ARM, 20, 1, berth_arm_fields},
    {"ARM_ACK", BERTH_ARM_ACK, 24, 2, berth_arm_ack_fields},
    {"STOP", BERTH_STOP, 24, 2, berth_stop_fields},
    {"FAULT", BERTH_FAULT, 24, 2, berth_fault_fields},
    {"CLEAR", BERTH_CLEAR, 20, 1, berth_clear_fields},
    {"TARE", BERTH_TARE, 20, 1, berth_tare_fields},
    {"REJECT", BERTH_REJECT, 160, 8, berth_reject_fields},
};
/* layout: end */

#define BERTH_HEADER_BYTES 16
#define BERTH_CRC_BYTES 4
#define BERTH_TAG_BYTES 16
#define BERTH_MAX_FRAME 512
#define BERTH_TAGGED 1u

typedef struct {
  uint8_t type;
  uint16_t flags;
  uint32_t seq;
  uint64_t t_us;
  berth_values values;
  /* header and payload, and the tag behind them */
  uint8_t body[BERTH_MAX_FRAME];
  size_t length;
  int tagged;
} berth_frame;

/* ---- numbers on the wire ---- */

static inline void berth_put(uint8_t *out, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++) out[i] = (uint8_t)(value >> (8 * i));
}

static inline uint64_t berth_get(const uint8_t *in, int bytes) {
  uint64_t value = 0;
  for (int i = 0; i < bytes; i++) value |= (uint64_t)in[i] << (8 * i);
  return value;
}

/* CRC-32C of bytes; `start` is the CRC of those before. */
static inline uint32_t berth_crc32c(const uint8_t *data, size_t length, uint32_t start) {
  static uint32_t table[256];
  if (table[1] == 0) {
    for (uint32_t i = 0; i < 256; i++) {
      uint32_t value = i;
      for (int bit = 0; bit < 8; bit++) value = value & 1 ? value >> 1 ^ 0x82F63B78u : value >> 1;
      table[i] = value;
    }
  }
  uint32_t crc = ~start;
  for (size_t i = 0; i < length; i++) crc = table[(crc ^ data[i]) & 255] ^ crc >> 8;
  return ~crc;
}

static inline uint32_t berth_frame_crc(const uint8_t *body, size_t length) {
  uint8_t hash[4];
  if (body[1] == BERTH_HELLO || body[1] == BERTH_REJECT) return berth_crc32c(body, length, 0);
  berth_put(hash, BERTH_LAYOUT_HASH, 4);
  return berth_crc32c(body, length, berth_crc32c(hash, 4, 0));
}

/* ---- HMAC-SHA-256 (FIPS 180-4, FIPS 198-1) ---- */

typedef struct {
  uint32_t h[8];
  uint8_t block[64];
  uint64_t bytes;
} berth_sha256;

static inline uint32_t berth_rotate(uint32_t x, int by) { return x >> by | x << (32 - by); }

static inline void berth_sha256_block(berth_sha256 *s) {
  static const uint32_t k[64] = {
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
      0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
      0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
      0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
      0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
      0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
      0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
      0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
  uint32_t w[64], v[8];
  for (int i = 0; i < 16; i++) {
    const uint8_t *b = s->block + 4 * i;
    w[i] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
  }
  for (int i = 16; i < 64; i++) {
    uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + w[i - 7] + (berth_rotate(a, 7) ^ berth_rotate(a, 18) ^ a >> 3) +
           (berth_rotate(b, 17) ^ berth_rotate(b, 19) ^ b >> 10);
  }
  memcpy(v, s->h, sizeof v);
  for (int i = 0; i < 64; i++) {
    uint32_t e = v[4], a = v[0];
    uint32_t t1 = v[7] + (berth_rotate(e, 6) ^ berth_rotate(e, 11) ^ berth_rotate(e, 25)) +
                  ((e & v[5]) ^ (~e & v[6])) + k[i] + w[i];
    uint32_t t2 = (berth_rotate(a, 2) ^ berth_rotate(a, 13) ^ berth_rotate(a, 22)) +
                  ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
    memmove(v + 1, v, 7 * sizeof v[0]);
    v[4] += t1;
    v[0] = t1 + t2;
  }
  for (int i = 0; i < 8; i++) s->h[i] += v[i];
}

static inline void berth_sha256_add(berth_sha256 *s, const void *data, size_t length) {
  const uint8_t *bytes = data;
  for (size_t i = 0; i < length; i++) {
    s->block[s->bytes++ % 64] = bytes[i];
    if (s->bytes % 64 == 0) berth_sha256_block(s);
  }
}

static inline void berth_sha256_start(berth_sha256 *s) {
  static const uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memcpy(s->h, h, sizeof h);
  s->bytes = 0;
}

static inline void berth_sha256_end(berth_sha256 *s, uint8_t out[32]) {
  uint64_t bits = 8 * s->bytes;
  uint8_t end = 0x80, zero = 0, length[8];
  berth_sha256_add(s, &end, 1);
  while (s->bytes % 64 != 56) berth_sha256_add(s, &zero, 1);
  for (int i = 0; i < 8; i++) length[i] = (uint8_t)(bits >> (56 - 8 * i));
  berth_sha256_add(s, length, 8);
  for (int i = 0; i < 32; i++) out[i] = (uint8_t)(s->h[i / 4] >> (24 - 8 * (i % 4)));
}

static inline void berth_hmac(const uint8_t *key, size_t key_length, const void *data, size_t length, uint8_t out[32]) {
  berth_sha256 s;
  uint8_t pad[64] = {0};
  berth_sha256_start(&s);
  if (key_length > 64) {
    berth_sha256_add(&s, key, key_length);
    berth_sha256_end(&s, pad);
    berth_sha256_start(&s);
  } else memcpy(pad, key, key_length);
  for (int i = 0; i < 64; i++) pad[i] ^= 0x36;
  berth_sha256_add(&s, pad, 64);
  berth_sha256_add(&s, data, length);
  berth_sha256_end(&s, out);
  for (int i = 0; i < 64; i++) pad[i] ^= 0x36 ^ 0x5c;
  berth_sha256_start(&s);
  berth_sha256_add(&s, pad, 64);
  berth_sha256_add(&s, out, 32);
  berth_sha256_end(&s, out);
}

/* Key of one direction of a session; `role` is "server" or "robot", the end that sends. */
static inline void berth_session_key(const char *robot_key, const char *role, const uint32_t server[2],
                                     const uint32_t robot[2], uint8_t out[32]) {
  uint8_t text[64] = {0, 0, 0, 1};
  size_t at = 4 + (size_t)sprintf((char *)text + 4, "HLP/1 %s", role) + 1;
  for (int i = 0; i < 4; i++, at += 4) berth_put(text + at, i < 2 ? server[i] : robot[i - 2], 4);
  text[at++] = 0;
  text[at++] = 0;
  text[at++] = 1;
  text[at++] = 0;
  berth_hmac((const uint8_t *)robot_key, strlen(robot_key), text, at, out);
}

/* ---- frames ---- */

static inline const berth_layout *berth_layout_of(int type) {
  for (size_t i = 0; i < sizeof berth_layouts / sizeof berth_layouts[0]; i++)
    if (berth_layouts[i].type == type) return &berth_layouts[i];
  return NULL;
}

/* Bytes of a frame from header to CRC; tagged when there is a key. Returns their number. */
static inline size_t berth_encode(int type, uint32_t seq, uint64_t t_us, const void *values, const uint8_t *key,
                                  uint8_t out[BERTH_MAX_FRAME]) {
  const berth_layout *layout = berth_layout_of(type);
  size_t length = layout->length;
  memset(out, 0, BERTH_MAX_FRAME);
  out[0] = BERTH_VERSION;
  out[1] = (uint8_t)type;
  out[2] = key != NULL ? BERTH_TAGGED : 0;
  berth_put(out + 4, seq, 4);
  berth_put(out + 8, t_us, 8);
  for (int f = 0; f < layout->count; f++) {
    const berth_field *field = &layout->fields[f];
    const uint8_t *from = (const uint8_t *)values + field->place;
    for (int i = 0; i < field->count; i++) {
      uint64_t bits = 0;
      if (field->kind == 'f') {
        float number;
        uint32_t word;
        memcpy(&number, from + 4 * i, 4);
        if (fabsf(number) < 1.17549435e-38f) number = 0; /* a receiver refuses denormal numbers */
        memcpy(&word, &number, 4);
        bits = word;
      } else if (field->kind == 'd') {
        double number;
        memcpy(&number, from + 8 * i, 8);
        if (fabs(number) < 2.2250738585072014e-308) number = 0;
        memcpy(&bits, &number, 8);
      } else if (field->size == 1) bits = from[i];
      else if (field->size == 2) {
        uint16_t word;
        memcpy(&word, from + 2 * i, 2);
        bits = word;
      } else if (field->size == 4) {
        uint32_t word;
        memcpy(&word, from + 4 * i, 4);
        bits = word;
      } else memcpy(&bits, from + 8 * i, 8);
      berth_put(out + field->offset + field->size * i, bits, field->size);
    }
  }
  if (key != NULL) {
    uint8_t digest[32];
    berth_hmac(key, 32, out, length, digest);
    memcpy(out + length, digest, BERTH_TAG_BYTES);
    length += BERTH_TAG_BYTES;
  }
  berth_put(out + length, berth_frame_crc(out, length), 4);
  return length + BERTH_CRC_BYTES;
}

/* Reads a frame. Returns NULL, or why the bytes are none. */
static inline const char *berth_decode(const uint8_t *data, size_t length, berth_frame *frame) {
  if (length < BERTH_HEADER_BYTES + BERTH_CRC_BYTES || length > BERTH_MAX_FRAME) return "length";
  size_t body = length - BERTH_CRC_BYTES;
  if (berth_frame_crc(data, body) != berth_get(data + body, 4)) return "crc";
  const berth_layout *layout = berth_layout_of(data[1]);
  int negotiation = data[1] == BERTH_HELLO || data[1] == BERTH_REJECT;
  if (!negotiation && data[0] >> 4 != BERTH_VERSION >> 4) return "version";
  if ((data[2] & ~BERTH_TAGGED) != 0) return "flags";
  if (layout == NULL) return "version";
  frame->tagged = data[2] & BERTH_TAGGED;
  memcpy(frame->body, data, body);
  if (frame->tagged) body -= body < BERTH_TAG_BYTES ? body : BERTH_TAG_BYTES;
  if (body < layout->length || (body > layout->length && !negotiation)) return "length";
  frame->length = body;
  frame->type = data[1];
  frame->flags = (uint16_t)berth_get(data + 2, 2);
  frame->seq = (uint32_t)berth_get(data + 4, 4);
  frame->t_us = berth_get(data + 8, 8);
  memset(&frame->values, 0, sizeof frame->values);
  for (int f = 0; f < layout->count; f++) {
    const berth_field *field = &layout->fields[f];
    uint8_t *to = (uint8_t *)&frame->values + field->place;
    for (int i = 0; i < field->count; i++) {
      uint64_t bits = berth_get(data + field->offset + field->size * i, field->size);
      uint8_t byte = (uint8_t)bits;
      uint16_t half = (uint16_t)bits;
      uint32_t word = (uint32_t)bits;
      const void *from = field->size == 1   ? (void *)&byte
                         : field->size == 2 ? (void *)&half
                         : field->size == 4 ? (void *)&word
                                            : (void *)&bits;
      memcpy(to + field->size * i, from, (size_t)field->size);
    }
  }
  return NULL;
}

static inline int berth_tag_is_right(const berth_frame *frame, const uint8_t *key) {
  uint8_t digest[32], differs = 0;
  if (!frame->tagged) return 0;
  berth_hmac(key, 32, frame->body, frame->length, digest);
  for (int i = 0; i < BERTH_TAG_BYTES; i++) differs |= digest[i] ^ frame->body[frame->length + (size_t)i];
  return differs == 0;
}

/* COBS block with its zero, for a serial line. `out` has room for 520 bytes. */
static inline size_t berth_cobs_encode(const uint8_t *data, size_t length, uint8_t *out) {
  size_t code_at = 0, at = 1;
  uint8_t code = 1;
  for (size_t i = 0; i < length; i++) {
    if (data[i] != 0) {
      out[at++] = data[i];
      code++;
    }
    if (data[i] == 0 || (code == 255 && i + 1 < length)) {
      out[code_at] = code;
      code_at = at++;
      code = 1;
    }
  }
  out[code_at] = code;
  out[at++] = 0;
  return at;
}

/* Frame of a block without its zero; 0 when it is broken. */
static inline size_t berth_cobs_decode(const uint8_t *block, size_t length, uint8_t *out) {
  size_t at = 0, to = 0;
  while (at < length) {
    uint8_t code = block[at];
    if (at + code > length) return 0;
    memcpy(out + to, block + at + 1, (size_t)code - 1);
    to += (size_t)code - 1;
    at += code;
    if (code < 255 && at < length) out[to++] = 0;
  }
  return to;
}

/* ---- lines ---- */

typedef struct {
  int fd; /* -1: none */
  int serial;
  uint8_t in[8192];
  size_t in_length;
  uint8_t out[16384];
  size_t out_length;
} berth_line;

static inline uint64_t berth_clock_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

static inline void berth_random(void *out, size_t length) {
  int fd = open("/dev/urandom", O_RDONLY);
  if (fd < 0 || read(fd, out, length) != (ssize_t)length) abort();
  close(fd);
}

static inline void berth_line_close(berth_line *line) {
  if (line->fd >= 0) close(line->fd);
  line->fd = -1;
  line->in_length = line->out_length = 0;
}

static inline speed_t berth_speed(int baud) {
  switch (baud) {
    case 115200: return B115200;
#ifdef B921600
    case 921600: return B921600;
#endif
#ifdef B1000000
    case 1000000: return B1000000;
#endif
#ifdef B2000000
    case 2000000: return B2000000;
#endif
#ifdef B3000000
    case 3000000: return B3000000;
#endif
#ifdef B4000000
    case 4000000: return B4000000;
#endif
    default: return B0;
  }
}

/* Returns NULL, or what went wrong. */
static inline const char *berth_serial_open(berth_line *line, const char *path, int baud) {
  struct termios settings;
  speed_t speed = berth_speed(baud);
  if (speed == B0) return "this system has no such speed";
  line->fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK);
  if (line->fd < 0) return strerror(errno);
  if (tcgetattr(line->fd, &settings) != 0) return strerror(errno);
  cfmakeraw(&settings);
  settings.c_cflag |= CLOCAL | CREAD;
  settings.c_cc[VMIN] = settings.c_cc[VTIME] = 0;
  cfsetispeed(&settings, speed);
  cfsetospeed(&settings, speed);
  line->serial = 1;
  return tcsetattr(line->fd, TCSANOW, &settings) == 0 ? NULL : strerror(errno);
}

static inline void berth_base64(const uint8_t *data, size_t length, char *out) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < length; i += 3) {
    uint32_t word = (uint32_t)data[i] << 16;
    if (i + 1 < length) word |= (uint32_t)data[i + 1] << 8;
    if (i + 2 < length) word |= data[i + 2];
    for (int k = 0; k < 4; k++) *out++ = letters[word >> (18 - 6 * k) & 63];
    if (i + 1 >= length) out[-2] = '=';
    if (i + 2 >= length) out[-1] = '=';
  }
  *out = 0;
}

/* SHA-1 of a text of at most 119 bytes: what RFC 6455 asks of the answer to an upgrade. */
static inline void berth_sha1(const char *text, uint8_t out[20]) {
  uint8_t data[128] = {0};
  size_t length = strlen(text), blocks = length < 56 ? 1 : 2;
  uint32_t h[5] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
  memcpy(data, text, length);
  data[length] = 0x80;
  data[64 * blocks - 2] = (uint8_t)(8 * length >> 8);
  data[64 * blocks - 1] = (uint8_t)(8 * length);
  for (size_t block = 0; block < blocks; block++) {
    uint32_t w[80], v[5];
    for (int i = 0; i < 80; i++) {
      const uint8_t *b = data + 64 * block + 4 * (size_t)(i < 16 ? i : 0);
      w[i] = i < 16 ? (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3]
                    : berth_rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 31);
    }
    memcpy(v, h, sizeof v);
    for (int i = 0; i < 80; i++) {
      uint32_t f = i < 20   ? ((v[1] & v[2]) | (~v[1] & v[3])) + 0x5A827999
                   : i < 40 ? (v[1] ^ v[2] ^ v[3]) + 0x6ED9EBA1
                   : i < 60 ? ((v[1] & v[2]) | (v[1] & v[3]) | (v[2] & v[3])) + 0x8F1BBCDC
                            : (v[1] ^ v[2] ^ v[3]) + 0xCA62C1D6;
      uint32_t next = berth_rotate(v[0], 27) + f + v[4] + w[i];
      v[4] = v[3];
      v[3] = v[2];
      v[2] = berth_rotate(v[1], 2);
      v[1] = v[0];
      v[0] = next;
    }
    for (int i = 0; i < 5; i++) h[i] += v[i];
  }
  for (int i = 0; i < 20; i++) out[i] = (uint8_t)(h[i / 4] >> (24 - 8 * (i % 4)));
}

/* ws://HOST[:PORT]/PATH. Returns NULL, or what went wrong. */
static inline const char *berth_socket_open(berth_line *line, const char *url) {
  static char answer[2048];
  char host[256] = "", port[16] = "80", path[256] = "/", key[32], text[128], accept[40], request[1024];
  uint8_t nonce[16], digest[20];
  struct addrinfo hints = {0}, *found = NULL;
  struct timeval patience = {10, 0};
  int one = 1, failed = 0;
  if (sscanf(url, "ws://%255[^:/]:%15[0-9]%255s", host, port, path) < 2 &&
      sscanf(url, "ws://%255[^:/]%255s", host, path) < 1)
    return "the address is none of ws://HOST:PORT/robot";
  hints.ai_socktype = SOCK_STREAM;
  if (getaddrinfo(host, port, &hints, &found) != 0) return "the host has no address";
  for (struct addrinfo *each = found; each != NULL; each = each->ai_next) {
    line->fd = socket(each->ai_family, each->ai_socktype, each->ai_protocol);
    if (line->fd >= 0 && connect(line->fd, each->ai_addr, each->ai_addrlen) == 0) break;
    failed = errno;
    berth_line_close(line);
  }
  freeaddrinfo(found);
  if (line->fd < 0) return strerror(failed);
  setsockopt(line->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  setsockopt(line->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  berth_random(nonce, sizeof nonce);
  berth_base64(nonce, sizeof nonce, key);
  snprintf(text, sizeof text, "%s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key);
  berth_sha1(text, digest);
  berth_base64(digest, sizeof digest, accept);
  int asked = snprintf(request, sizeof request,
                       "GET %s HTTP/1.1\r\nHost: %s:%s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                       "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n"
                       "Sec-WebSocket-Protocol: berth.robot.v1\r\n\r\n",
                       path, host, port, key);
  if (send(line->fd, request, (size_t)asked, MSG_NOSIGNAL) != asked) return strerror(errno);
  size_t length = 0;
  char *end = NULL;
  while (end == NULL) {
    ssize_t got = recv(line->fd, answer + length, sizeof answer - 1 - length, 0);
    if (got <= 0) return "no answer to the upgrade";
    length += (size_t)got;
    answer[length] = 0;
    end = strstr(answer, "\r\n\r\n");
  }
  char *after = end + 4;
  if (strncmp(answer, "HTTP/1.1 101", 12) != 0) {
    if (*after == 0 && (one = (int)recv(line->fd, after, sizeof answer - 1 - length, 0)) > 0) after[one] = 0;
    after[strcspn(after, "\n")] = 0;
    return *after != 0 ? after : answer;
  }
  if (strstr(answer, accept) == NULL) return "the answer is not that of a WebSocket";
  line->in_length = length - (size_t)(after - answer);
  memcpy(line->in, after, line->in_length);
  line->serial = 0;
  fcntl(line->fd, F_SETFL, fcntl(line->fd, F_GETFL) | O_NONBLOCK);
  return NULL;
}

/* Sends what the line takes. Returns 0 when the line is gone. */
static inline int berth_line_flush(berth_line *line) {
  while (line->out_length > 0) {
    ssize_t sent = line->serial ? write(line->fd, line->out, line->out_length)
                                : send(line->fd, line->out, line->out_length, MSG_NOSIGNAL);
    if (sent < 0) return errno == EAGAIN || errno == EINTR;
    line->out_length -= (size_t)sent;
    memmove(line->out, line->out + sent, line->out_length);
  }
  return 1;
}

static inline int berth_socket_message(berth_line *line, uint8_t opcode, const uint8_t *data, size_t length) {
  uint8_t mask[4];
  if (line->out_length + length + 8 > sizeof line->out) return 1; /* old frames are useless to a slow peer */
  uint8_t *out = line->out + line->out_length;
  size_t at = 0;
  berth_put(mask, berth_clock_us() * 2654435761u, 4); /* against proxies, not for secrecy */
  out[at++] = 0x80 | opcode;
  if (length < 126) out[at++] = (uint8_t)(0x80 | length);
  else {
    out[at++] = 0x80 | 126;
    out[at++] = (uint8_t)(length >> 8);
    out[at++] = (uint8_t)length;
  }
  memcpy(out + at, mask, 4);
  at += 4;
  for (size_t i = 0; i < length; i++) out[at++] = data[i] ^ mask[i % 4];
  line->out_length += at;
  return berth_line_flush(line);
}

static inline int berth_line_send(berth_line *line, const uint8_t *frame, size_t length) {
  if (!line->serial) return berth_socket_message(line, 2, frame, length);
  if (line->out_length + 520 <= sizeof line->out)
    line->out_length += berth_cobs_encode(frame, length, line->out + line->out_length);
  return berth_line_flush(line);
}

/* Reads what has come. Returns 0 when the line is gone. */
static inline int berth_line_fill(berth_line *line) {
  if (line->in_length == sizeof line->in) line->in_length = 0; /* no frame is as long */
  ssize_t got = read(line->fd, line->in + line->in_length, sizeof line->in - line->in_length);
  if (got > 0) line->in_length += (size_t)got;
  if (got == 0) return 0; /* ready, and nothing to read: a hang-up */
  return got > 0 || errno == EAGAIN || errno == EINTR;
}

/* Next frame that has come whole: its length, 0 for none, -1 when the peer closes. */
static inline int berth_line_next(berth_line *line, uint8_t frame[BERTH_MAX_FRAME]) {
  for (;;) {
    size_t used, length = 0;
    uint8_t *in = line->in;
    int opcode = 2;
    if (line->serial) {
      uint8_t *zero = memchr(in, 0, line->in_length);
      if (zero == NULL) return 0;
      used = (size_t)(zero - in) + 1;
      if (used <= BERTH_MAX_FRAME + 4) length = berth_cobs_decode(in, used - 1, frame);
    } else {
      size_t head = line->in_length > 1 && (in[1] & 127) == 126 ? 4 : 2;
      if (line->in_length < head) return 0;
      length = head == 4 ? (size_t)in[2] << 8 | in[3] : in[1] & 127u;
      if (length > BERTH_MAX_FRAME) return -1;
      used = head + length;
      if (line->in_length < used) return 0;
      opcode = in[0] & 15;
      memcpy(frame, in + head, length);
    }
    line->in_length -= used;
    memmove(in, in + used, line->in_length);
    if (opcode == 8) return -1;
    if (opcode == 9) berth_socket_message(line, 10, frame, length);
    if (opcode == 2 && length > 0) return (int)length;
  }
}

/* ---- guard: whether the robot may move, and what it does when set-points stop (docs/emulator.md, loss rules) ---- */

enum { BERTH_FOLLOW, BERTH_COAST, BERTH_BRAKE, BERTH_EMERGENCY };
enum { BERTH_OFFLINE, BERTH_CONNECTING, BERTH_SYNCING, BERTH_SYNCED };
enum { BERTH_TTL_EXPIRED = 1, BERTH_SETPOINTS_LOST = 2, BERTH_POSE_MISMATCH = 4, BERTH_FORCE_LIMIT = 8 };

typedef struct {
  int arm, clear, tare;
  int stop; /* category, -1 none */
} berth_asked;

typedef struct {
  int action, link_state, safety, armed, engaged;
  uint32_t fault;
  int phase, contact, missing, stopping, emergency, held, force_samples, setpoint_stop;
  double ttl_s, silence_s, emergency_left_s;
} berth_guard;

static inline int berth_may_arm(const berth_guard *g, int at_rest) {
  return (g->link_state == 4 || g->link_state == 5 || g->link_state == 8) && at_rest && g->fault == 0;
}

static inline void berth_guard_stop(berth_guard *g, int category) {
  g->engaged = 0;
  if (category == 2) {
    g->held = 1;
    return;
  }
  g->armed = g->held = 0;
  g->stopping = 1;
  if (category == 0) {
    g->emergency = 1;
    g->emergency_left_s = 0.5;
  }
}

/* Stop for a cause, bits of STATE.fault; they stay until CLEAR. */
static inline void berth_guard_trip(berth_guard *g, uint32_t fault) {
  g->fault |= fault;
  berth_guard_stop(g, 1);
}

static inline void berth_guard_apply(berth_guard *g, const berth_setpoint *s, int matches) {
  int stop = s->mode == 4 ? s->stopCategory : -1;
  int again = stop == g->setpoint_stop; /* a stop that is repeated must not undo a CLEAR */
  g->missing = 0;
  g->ttl_s = s->ttl * 1e-3;
  g->setpoint_stop = stop;
  if (stop >= 0) {
    if (!again) berth_guard_stop(g, stop);
  } else if (s->mode == 2 || s->mode == 3) {
    if (!g->armed) return;
    if (!g->engaged && !matches) {
      berth_guard_trip(g, BERTH_POSE_MISMATCH);
      return;
    }
    g->engaged = 1;
    g->held = 0;
    g->contact = s->mode == 3;
    g->action = BERTH_FOLLOW;
  } else {
    if (g->engaged && s->mode == 1) g->held = 1;
    g->engaged = 0;
  }
}

static inline void berth_guard_miss(berth_guard *g, double period_s) {
  g->missing++;
  if (g->silence_s >= g->ttl_s) berth_guard_trip(g, BERTH_TTL_EXPIRED);
  else if (g->missing >= 20) berth_guard_trip(g, BERTH_SETPOINTS_LOST);
  else if (g->missing > 1 && (g->contact || g->missing * period_s > 0.005)) g->action = BERTH_BRAKE;
  else g->action = BERTH_COAST;
}

static inline void berth_guard_report(berth_guard *g, double period_s, int at_rest) {
  if (g->emergency) {
    if (at_rest && g->emergency_left_s > 0) g->emergency_left_s -= period_s;
    g->link_state = 11;
    g->safety = g->emergency_left_s > 0 ? 2 : 0;
    return;
  }
  g->safety = g->fault == 0 ? 0 : 1;
  if (g->phase < BERTH_SYNCED) g->link_state = g->phase;
  else if (g->stopping) g->link_state = 9;
  else if (g->fault != 0) g->link_state = 10;
  else if (g->engaged) g->link_state = g->contact ? 7 : 6;
  else if (g->held) g->link_state = 8;
  else g->link_state = g->armed ? 5 : 4;
}

/* One cycle; `setpoint` is one that came in it, or NULL. */
static inline void berth_guard_step(berth_guard *g, double period_s, int phase, const berth_asked *asked,
                                    const berth_setpoint *setpoint, int matches, int at_rest, int over_force) {
  g->silence_s += period_s;
  if (phase != g->phase) {
    if (phase < BERTH_SYNCED) berth_guard_stop(g, 1);
    else g->fault &= ~(uint32_t)(BERTH_TTL_EXPIRED | BERTH_SETPOINTS_LOST); /* ARM is needed again anyway */
    g->phase = phase;
    g->armed = g->engaged = g->held = 0;
    g->setpoint_stop = -1;
  }
  if (asked->clear && at_rest) g->fault = 0, g->emergency = 0;
  if (asked->stop >= 0) berth_guard_stop(g, asked->stop);
  g->force_samples = over_force ? g->force_samples + 1 : 0;
  if (g->force_samples >= 3) berth_guard_trip(g, BERTH_FORCE_LIMIT);
  if (g->stopping && at_rest) g->stopping = 0;
  if (asked->arm && phase == BERTH_SYNCED && g->fault == 0 && !g->emergency && !g->stopping && at_rest) {
    g->armed = 1;
    g->engaged = g->held = 0;
  }
  if (setpoint != NULL) {
    g->silence_s = 0;
    berth_guard_apply(g, setpoint, matches);
  } else if (g->engaged) berth_guard_miss(g, period_s);
  if (!g->engaged) g->action = g->emergency && !at_rest ? BERTH_EMERGENCY : BERTH_BRAKE;
  berth_guard_report(g, period_s, at_rest);
}

/* ---- robot: session and cycle ---- */

typedef struct {
  const char *address; /* ws://HOST:PORT/robot, or the path of a serial port */
  const char *device, *firmware, *key;
  int baud;                   /* 2000000 */
  double limits[6];           /* speed, angular speed, acceleration, force, moment, workspace; 0: the default */
  uint32_t period_us[2];      /* shortest and longest cycle; 500 and 10000 */
  uint32_t capabilities;      /* bit 0 force sensor, 1 tare, 2 gravity removed; ARM is always needed */
} berth_options;

typedef struct {
  int action; /* BERTH_FOLLOW … */
  double position[3];
  float orientation[4], twist[6], wrench[6];
  int mode, tare;
} berth_command;

typedef struct {
  berth_options options;
  berth_line line;
  berth_guard guard;
  berth_asked asked;
  double period_s; /* cycle that the loop asks for */
  double limits[6];
  int phase;
  uint32_t seq, mine[2], theirs[2], past[16][2];
  int past_at, keyed;
  uint8_t server_key[32], robot_key[32];
  uint32_t newest, seen[64];
  int seen_at, window_open;
  uint64_t heard_us, sent_us, next_hello_us, reject_after_us, backoff_us, release_us, retry_at_us, retry_us;
  berth_setpoint setpoint, applied, reference;
  uint32_t setpoint_seq, applied_seq;
  uint64_t setpoint_us, applied_us;
  int setpoint_known, setpoint_new, applied_known;
  uint8_t window[100];
  int window_at, success, lost_in_row;
  berth_state measured;
} berth_robot;

static inline void berth_log(const berth_robot *r, const char *what, const char *more) {
  fprintf(stderr, "%s: %s%s%s\n", r->options.device, what, *more != 0 ? ": " : "", more);
}

static inline void berth_copy(char *to, size_t room, const char *text) {
  for (size_t i = 0; i < room && text[i] != 0; i++) to[i] = text[i];
}

static inline void berth_new_nonce(uint32_t nonce[2]) {
  do berth_random(nonce, 8);
  while (nonce[0] == 0 && nonce[1] == 0);
}

static inline int berth_same(const uint32_t a[2], const uint32_t b[2]) { return a[0] == b[0] && a[1] == b[1]; }

/* Offline; the next session begins with a new nonce. */
static inline void berth_reset(berth_robot *r) {
  if (r->phase >= BERTH_SYNCING) {
    memcpy(r->past[r->past_at], r->theirs, 8);
    r->past_at = (r->past_at + 1) % 16;
  }
  berth_new_nonce(r->mine);
  r->phase = BERTH_OFFLINE;
  r->theirs[0] = r->theirs[1] = 0;
  r->keyed = r->setpoint_known = r->setpoint_new = 0;
  r->asked = (berth_asked){0, 0, 0, -1};
}

static inline void berth_lost(berth_robot *r, const char *why) {
  char again[64];
  snprintf(again, sizeof again, "again in %.2f s", 1e-6 * (double)r->retry_us);
  berth_log(r, why, again);
  berth_line_close(&r->line);
  r->retry_at_us = berth_clock_us() + r->retry_us;
  r->retry_us = r->retry_us * 2 > 8000000 ? 8000000 : r->retry_us * 2;
  berth_reset(r);
}

static inline void berth_send(berth_robot *r, int type, uint64_t t_us, const void *values) {
  uint8_t out[BERTH_MAX_FRAME];
  if (r->line.fd < 0) return;
  size_t length = berth_encode(type, ++r->seq, t_us, values, r->keyed && type != BERTH_REJECT ? r->robot_key : NULL, out);
  r->sent_us = t_us;
  if (!berth_line_send(&r->line, out, length)) berth_lost(r, "the line is gone");
}

static inline void berth_send_hello(berth_robot *r, uint64_t now_us) {
  const berth_options *o = &r->options;
  berth_hello h = {0};
  h.role = 1;
  h.protocolMin = BERTH_VERSION_MIN;
  h.protocolMax = BERTH_VERSION;
  h.layoutHash = BERTH_LAYOUT_HASH;
  memcpy(h.nonce, r->mine, 8);
  memcpy(h.peerNonce, r->theirs, 8);
  berth_copy(h.device, sizeof h.device, o->device);
  berth_copy(h.firmware, sizeof h.firmware, o->firmware);
  h.periodMin = o->period_us[0];
  h.periodMax = o->period_us[1];
  h.speed = (float)o->limits[0];
  h.angularSpeed = (float)o->limits[1];
  h.acceleration = (float)o->limits[2];
  h.force = (float)o->limits[3];
  h.moment = (float)o->limits[4];
  h.workspace = (float)o->limits[5];
  h.capabilities = o->capabilities | 8u | (*o->key != 0 ? 16u : 0u);
  berth_send(r, BERTH_HELLO, now_us, &h);
  r->next_hello_us = now_us + r->backoff_us;
}

static inline void berth_back_off(berth_robot *r, uint64_t now_us) {
  r->reject_after_us = r->next_hello_us = now_us + r->backoff_us;
  r->backoff_us = r->backoff_us * 2 > 8000000 ? 8000000 : r->backoff_us * 2;
}

static inline void berth_refused(berth_robot *r) {
  r->phase = BERTH_OFFLINE;
  r->theirs[0] = r->theirs[1] = 0;
  r->keyed = 0;
}

static inline void berth_send_reject(berth_robot *r, uint64_t now_us, int code, int refused, double value, double limit,
                                     const char *text) {
  berth_log(r, "the loop is refused", text);
  if (now_us >= r->reject_after_us) {
    berth_reject j = {0};
    j.code = (uint8_t)code;
    j.refused = (uint8_t)refused;
    j.protocolMin = BERTH_VERSION_MIN;
    j.protocolMax = BERTH_VERSION;
    j.layoutHash = BERTH_LAYOUT_HASH;
    j.value = (float)value;
    j.limit = (float)limit;
    berth_copy(j.text, sizeof j.text, text);
    berth_send(r, BERTH_REJECT, now_us, &j);
    berth_back_off(r, now_us);
  }
  if (r->phase < BERTH_SYNCING) berth_refused(r);
}

static inline int berth_is_old(const berth_robot *r, uint32_t seq) {
  int32_t ahead = (int32_t)(seq - r->newest);
  if (!r->window_open) return 0;
  if (ahead > 0) return ahead > 4096;
  if (ahead <= -64) return 1;
  for (int i = 0; i < r->seen_at && i < 64; i++)
    if (r->seen[i] == seq) return 1;
  return 0;
}

static inline void berth_accept(berth_robot *r, uint32_t seq) {
  if (!r->window_open || (int32_t)(seq - r->newest) > 0) r->newest = seq;
  r->window_open = 1;
  r->seen[r->seen_at++ % 64] = seq;
  if (r->seen_at >= 1 << 20) r->seen_at -= 1 << 19; /* a multiple of 64 */
}

static inline void berth_begin_anew(berth_robot *r) {
  berth_reset(r);
  r->next_hello_us = 0;
}

static inline void berth_adopt(berth_robot *r, const berth_frame *f, uint64_t now_us) {
  memcpy(r->theirs, f->values.hello.nonce, 8);
  r->window_open = r->seen_at = 0;
  berth_accept(r, f->seq);
  r->heard_us = now_us;
  r->setpoint_known = r->setpoint_new = 0;
  r->asked = (berth_asked){0, 0, 0, -1};
  r->phase = BERTH_CONNECTING;
}

static inline void berth_take_hello(berth_robot *r, const berth_frame *f, uint64_t now_us) {
  const berth_hello *h = &f->values.hello;
  const uint32_t none[2] = {0, 0};
  int knows_us = berth_same(h->peerNonce, r->mine), known = berth_same(h->nonce, r->theirs), keyed = *r->options.key != 0;
  uint8_t keys[2][32];
  if (h->role != 0) {
    berth_send_reject(r, now_us, 9, BERTH_HELLO, 0, 0, "HELLO: both ends have one role");
    return;
  }
  if (berth_same(h->nonce, none)) {
    berth_send_reject(r, now_us, 10, BERTH_HELLO, 0, 0, "HELLO nonce 0: any other is allowed");
    return;
  }
  for (int i = 0; i < 16 && !known; i++)
    if (berth_same(h->nonce, r->past[i])) return;
  if (h->protocolMin > BERTH_VERSION || h->protocolMax < BERTH_VERSION_MIN) {
    berth_send_reject(r, now_us, 1, BERTH_HELLO, h->protocolMax, BERTH_VERSION, "HELLO: no version that both ends speak");
    return;
  }
  if (h->layoutHash != BERTH_LAYOUT_HASH) {
    berth_send_reject(r, now_us, 2, BERTH_HELLO, 0, 0, "HELLO: another layout hash than that of this end");
    return;
  }
  if (keyed) {
    berth_session_key(r->options.key, "server", h->nonce, r->mine, keys[0]);
    berth_session_key(r->options.key, "robot", h->nonce, r->mine, keys[1]);
  }
  if (keyed && !f->tagged && berth_same(h->peerNonce, none)) {
    /* a HELLO that proves nothing: the answer proves the key over both nonces */
    if (r->phase >= BERTH_SYNCING) return;
    if (!(known && r->phase == BERTH_CONNECTING)) {
      berth_adopt(r, f, now_us);
      memcpy(r->server_key, keys[0], 32);
      memcpy(r->robot_key, keys[1], 32);
      r->keyed = 1;
    }
    berth_send_hello(r, now_us);
    return;
  }
  if (keyed ? !berth_tag_is_right(f, keys[0]) : f->tagged) {
    berth_send_reject(r, now_us, 6, BERTH_HELLO, 0, 0, keyed ? "HELLO: the tag is missing or wrong" : "HELLO: it is tagged, and this end has no robot key");
    return;
  }
  if (keyed && !knows_us) return; /* over the nonce of another session */
  if (known && r->phase != BERTH_OFFLINE) {
    int is_new = (int32_t)(f->seq - r->newest) > 0;
    if (berth_is_old(r, f->seq)) return;
    berth_accept(r, f->seq);
    if (is_new && r->phase == BERTH_SYNCED) berth_begin_anew(r); /* a loop that says HELLO has no session */
    else if (r->phase == BERTH_CONNECTING && !knows_us) berth_send_hello(r, now_us);
    return;
  }
  if (r->phase >= BERTH_SYNCING) {
    berth_begin_anew(r);
    return;
  }
  if (r->phase != BERTH_OFFLINE && !knows_us) berth_new_nonce(r->mine);
  berth_adopt(r, f, now_us);
  r->keyed = keyed;
  if (keyed) {
    memcpy(r->server_key, keys[0], 32);
    memcpy(r->robot_key, keys[1], 32);
  }
  if (!knows_us) berth_send_hello(r, now_us);
}

static inline void berth_take_config(berth_robot *r, const berth_config *c, uint64_t now_us) {
  const float asked[6] = {c->speed, c->angularSpeed, c->acceleration, c->force, c->moment, c->workspace};
  const berth_options *o = &r->options;
  if (c->period < o->period_us[0] || c->period > o->period_us[1]) {
    berth_send_reject(r, now_us, 3, BERTH_CONFIG, c->period, o->period_us[1], "CONFIG: the period is out of range");
    berth_refused(r);
    return;
  }
  for (int i = 0; i < 6; i++) {
    if (asked[i] > 0 && asked[i] <= o->limits[i] * (1 + 1e-6)) continue;
    berth_send_reject(r, now_us, 4, BERTH_CONFIG, asked[i], o->limits[i], "CONFIG: a limit above that of this robot");
    berth_refused(r);
    return;
  }
  for (int i = 0; i < 6; i++) r->limits[i] = asked[i];
  r->period_s = c->period * 1e-6;
  berth_config_ack a = {0};
  a.version = c->version;
  a.period = c->period;
  a.session = c->session;
  berth_send(r, BERTH_CONFIG_ACK, now_us, &a);
  if (r->phase == BERTH_CONNECTING) {
    r->phase = BERTH_SYNCING;
    r->backoff_us = 250000;
    r->reject_after_us = 0;
  }
}

static inline void berth_take_setpoint(berth_robot *r, const berth_frame *f, uint64_t now_us) {
  const berth_setpoint *s = &f->values.setpoint;
  double sum = s->position[0] + s->position[1] + s->position[2], square = 0;
  if (r->setpoint_known && (int32_t)(f->seq - r->setpoint_seq) <= 0) return;
  berth_accept(r, f->seq);
  for (int i = 0; i < 4; i++) square += (double)s->orientation[i] * s->orientation[i];
  for (int i = 0; i < 6; i++) sum += (double)s->twist[i] + s->wrench[i];
  if (!isfinite(sum) || !(square > 0.998 && square < 1.002)) return;
  r->phase = BERTH_SYNCED;
  r->setpoint = *s;
  r->setpoint_seq = f->seq;
  r->setpoint_us = now_us;
  r->setpoint_known = r->setpoint_new = 1;
}

static inline int berth_at_rest(const berth_robot *r) {
  for (int i = 0; i < 6; i++)
    if (r->measured.twist[i] != 0) return 0;
  return 1;
}

static inline void berth_take(berth_robot *r, const uint8_t *data, size_t length, uint64_t now_us) {
  static berth_frame f;
  if (berth_decode(data, length, &f) != NULL) return;
  if (f.type == BERTH_HELLO) {
    berth_take_hello(r, &f, now_us);
    return;
  }
  if (f.type == BERTH_REJECT) {
    char text[sizeof f.values.reject.text + 1] = "";
    if (r->phase >= BERTH_SYNCING) return;
    memcpy(text, f.values.reject.text, sizeof f.values.reject.text);
    berth_log(r, "refused by the loop", text);
    berth_back_off(r, now_us);
    berth_refused(r);
    return;
  }
  if (berth_is_old(r, f.seq)) return;
  if (r->keyed ? !berth_tag_is_right(&f, r->server_key) : f.tagged) return;
  r->heard_us = now_us;
  if (r->phase < (f.type == BERTH_CONFIG ? BERTH_CONNECTING : BERTH_SYNCING)) return;
  if (f.type == BERTH_SETPOINT) {
    berth_take_setpoint(r, &f, now_us);
    return;
  }
  berth_accept(r, f.seq);
  if (f.type == BERTH_CONFIG) berth_take_config(r, &f.values.config, now_us);
  else if (f.type == BERTH_SYNC) {
    berth_sync s = f.values.sync;
    s.t2 = now_us;
    s.t3 = berth_clock_us();
    berth_send(r, BERTH_SYNC, s.t3, &s);
  } else if (f.type == BERTH_ARM) {
    berth_arm_ack a = {0};
    r->asked.arm = berth_may_arm(&r->guard, berth_at_rest(r));
    a.request = f.values.arm.request;
    a.accepted = (uint32_t)r->asked.arm;
    berth_send(r, BERTH_ARM_ACK, now_us, &a);
  } else if (f.type == BERTH_STOP) {
    r->asked.arm = 0;
    r->asked.stop = f.values.stop.category > 2 ? 2 : (int)f.values.stop.category;
  } else if (f.type == BERTH_CLEAR) r->asked.clear = 1;
  else if (f.type == BERTH_TARE) r->asked.tare = 1;
  else if (f.type == BERTH_BYE) {
    berth_reset(r);
    r->next_hello_us = now_us + r->backoff_us;
  }
}

static inline void berth_open(berth_robot *r, const berth_options *options) {
  static const double usual[6] = {0.25, 1, 10, 500, 150, 2};
  memset(r, 0, sizeof *r);
  r->options = *options;
  if (r->options.firmware == NULL) r->options.firmware = "1";
  if (r->options.key == NULL) r->options.key = "";
  if (r->options.baud == 0) r->options.baud = 2000000;
  if (r->options.period_us[1] == 0) r->options.period_us[0] = 500, r->options.period_us[1] = 10000;
  for (int i = 0; i < 6; i++)
    if (r->options.limits[i] == 0) r->options.limits[i] = usual[i];
  memcpy(r->limits, r->options.limits, sizeof r->limits);
  r->period_s = 1e-6 * r->options.period_us[1];
  r->line.fd = -1;
  r->backoff_us = r->retry_us = 250000;
  r->guard.setpoint_stop = -1;
  r->guard.ttl_s = 0.02;
  r->guard.action = BERTH_BRAKE;
  r->measured.orientation[3] = 1;
  r->release_us = berth_clock_us();
  berth_random(&r->seq, 4);
  r->seq &= 0x3fffffff;
  berth_reset(r);
}

/* What the tool does: m, unit quaternion (x, y, z, w), m/s and rad/s, N and N m on the tool, base frame. */
static inline void berth_report(berth_robot *r, const double position[3], const float orientation[4],
                                const float twist[6], const float wrench[6]) {
  memcpy(r->measured.position, position, sizeof r->measured.position);
  memcpy(r->measured.orientation, orientation, sizeof r->measured.orientation);
  memcpy(r->measured.twist, twist, sizeof r->measured.twist);
  memcpy(r->measured.wrench, wrench, sizeof r->measured.wrench);
  r->measured.tMeas = berth_clock_us();
}

static inline void berth_send_state(berth_robot *r) {
  uint64_t now_us = berth_clock_us();
  berth_state s = r->measured;
  if (r->line.fd < 0) return;
  if (r->phase != BERTH_OFFLINE && now_us - r->heard_us > 500000) {
    berth_log(r, "the loop is silent: the session is over", "");
    berth_reset(r);
  }
  if (r->phase == BERTH_OFFLINE) {
    if (now_us >= r->next_hello_us) berth_send_hello(r, now_us);
  }
  if (r->phase < BERTH_SYNCING) return;
  uint64_t age_us = r->applied_known ? now_us - r->applied_us : 0;
  int run = r->lost_in_row, success = r->success;
  s.linkState = (uint8_t)r->guard.link_state;
  s.safety = (uint8_t)r->guard.safety;
  s.quality = success == 100 && run <= 1 ? 3 : success >= 98 && run <= 3 ? 2 : success >= 90 ? 1 : 0;
  s.ctlMode = r->applied_known ? r->applied.mode : 0;
  s.fault = r->guard.fault;
  s.echoSeq = r->applied_known ? r->applied_seq : 0;
  s.cmdAge = (uint16_t)(age_us > 65535 ? 65535 : age_us);
  s.lostInRow = (uint16_t)run;
  s.success = (uint16_t)(10 * success);
  berth_send(r, BERTH_STATE, now_us, &s);
}

static inline void berth_connect(berth_robot *r) {
  const char *address = r->options.address, *why;
  if (berth_clock_us() < r->retry_at_us) return;
  why = strncmp(address, "ws://", 5) == 0 ? berth_socket_open(&r->line, address)
                                          : berth_serial_open(&r->line, address, r->options.baud);
  if (why != NULL) {
    berth_lost(r, why);
    return;
  }
  berth_reset(r);
  r->next_hello_us = r->reject_after_us = 0;
  r->backoff_us = 250000;
  r->release_us = berth_clock_us();
}

/* Take what comes until the release of the next cycle. */
static inline void berth_receive(berth_robot *r) {
  uint8_t frame[BERTH_MAX_FRAME];
  int length;
  for (;;) {
    int64_t left_us = (int64_t)(r->release_us - berth_clock_us());
    struct timeval time = {0, left_us > 0 ? (suseconds_t)left_us : 0};
    fd_set ready;
    FD_ZERO(&ready);
    if (r->line.fd < 0) {
      select(0, NULL, NULL, NULL, &time);
      return;
    }
    FD_SET(r->line.fd, &ready);
    if (select(r->line.fd + 1, &ready, NULL, NULL, &time) <= 0) {
      if (r->release_us <= berth_clock_us()) return;
      continue;
    }
    uint64_t arrived_us = berth_clock_us();
    if (!berth_line_flush(&r->line) || !berth_line_fill(&r->line)) {
      berth_lost(r, "closed by the loop");
      continue;
    }
    while (r->line.fd >= 0 && (length = berth_line_next(&r->line, frame)) != 0) {
      if (length < 0) berth_lost(r, "closed by the loop");
      else berth_take(r, frame, (size_t)length, arrived_us);
    }
  }
}

static inline double berth_distance(const double a[3], const double b[3]) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static inline double berth_angle(const float p[4], const float q[4]) {
  double dot = 0, pp = 0, qq = 0;
  for (int i = 0; i < 4; i++) {
    dot += (double)p[i] * q[i];
    pp += (double)p[i] * p[i];
    qq += (double)q[i] * q[i];
  }
  dot = fabs(dot) / sqrt(pp * qq);
  return 2 * acos(dot > 1 ? 1 : dot);
}

static inline double berth_length(const float v[3]) {
  return sqrt((double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2]);
}

/* Turns a unit quaternion by `dt` seconds of an angular velocity in the base frame, rad/s. */
static inline void berth_turn(float q[4], const float velocity[3], double dt) {
  double speed = berth_length(velocity), scale, d, x = q[0], y = q[1], z = q[2], w = q[3], length;
  if (speed == 0) return;
  scale = sin(speed * dt / 2) / speed;
  d = cos(speed * dt / 2);
  const double a = scale * velocity[0], b = scale * velocity[1], c = scale * velocity[2];
  const double turned[4] = {d * x + a * w + b * z - c * y, d * y - a * z + b * w + c * x,
                            d * z + a * y - b * x + c * w, d * w - a * x - b * y - c * z};
  length = sqrt(turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2] + turned[3] * turned[3]);
  for (int i = 0; i < 4; i++) q[i] = (float)(turned[i] / length);
}

/* Send STATE, wait for the next cycle, and say what to do in it. */
static inline berth_command berth_wait(berth_robot *r) {
  berth_command c = {0};
  const berth_setpoint *s = &r->setpoint;
  const berth_state *m = &r->measured;
  if (r->line.fd < 0) berth_connect(r);
  berth_send_state(r);
  r->release_us += (uint64_t)(1e6 * r->period_s + 0.5);
  if (r->release_us < berth_clock_us()) r->release_us = berth_clock_us(); /* late: cycles slip, none is made up for */
  r->setpoint_new = 0;
  berth_receive(r);
  if (r->phase == BERTH_SYNCED) r->retry_us = 250000;
  if (r->phase < BERTH_SYNCING) r->applied_known = 0;
  int came = r->setpoint_new && r->setpoint_known;
  /* a jump is no motion */
  if (came && r->guard.engaged &&
      (berth_distance(s->position, r->reference.position) > 0.01 ||
       berth_angle(s->orientation, r->reference.orientation) > 0.1))
    came = 0;
  r->lost_in_row = came ? 0 : r->lost_in_row < 65535 ? r->lost_in_row + 1 : 65535;
  r->success += came - r->window[r->window_at];
  r->window[r->window_at] = (uint8_t)came;
  r->window_at = (r->window_at + 1) % 100;
  if (came) {
    r->applied = *s;
    r->applied_seq = r->setpoint_seq;
    r->applied_us = r->setpoint_us;
    r->applied_known = 1;
  }
  int matches = came && berth_distance(s->position, m->position) <= 5e-4 &&
                berth_angle(s->orientation, m->orientation) <= 0.1 * 3.14159265358979 / 180 &&
                berth_length(s->twist) <= 5e-3 && berth_length(s->twist + 3) <= 5e-2;
  berth_asked asked = r->asked;
  uint32_t known = r->guard.fault;
  r->asked = (berth_asked){0, 0, 0, -1};
  berth_guard_step(&r->guard, r->period_s, r->phase, &asked, came ? s : NULL, matches, berth_at_rest(r),
                   berth_length(m->wrench) > r->options.limits[3]);
  for (uint32_t code = 0; code < 32 && r->phase >= BERTH_SYNCING; code++) {
    berth_fault fault = {code, 0};
    if ((r->guard.fault & ~known) >> code & 1) berth_send(r, BERTH_FAULT, berth_clock_us(), &fault);
  }
  if (r->guard.action == BERTH_FOLLOW && came) r->reference = *s;
  c.action = r->guard.action == BERTH_FOLLOW && !came ? BERTH_COAST : r->guard.action;
  memcpy(c.position, r->applied_known ? r->applied.position : m->position, sizeof c.position);
  memcpy(c.orientation, r->applied_known ? r->applied.orientation : m->orientation, sizeof c.orientation);
  if (r->applied_known) {
    memcpy(c.twist, r->applied.twist, sizeof c.twist);
    memcpy(c.wrench, r->applied.wrench, sizeof c.wrench);
    c.mode = r->applied.mode;
  }
  c.tare = asked.tare && berth_at_rest(r) && !r->guard.engaged;
  return c;
}

/* End the session and the connection. */
static inline void berth_close(berth_robot *r) {
  const berth_bye bye = {0};
  if (r->phase >= BERTH_CONNECTING) berth_send(r, BERTH_BYE, berth_clock_us(), &bye);
  berth_line_close(&r->line);
  berth_reset(r);
}

#endif
