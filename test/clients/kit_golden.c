/* Frames of a test through the C kit: one request a line on standard input, one answer a line on standard output.
 *   F HEX: reads a frame, prints name, seq, t_us and every value, then the same frame written again; a tagged one under the golden key
 *   B HEX: COBS block of the bytes, and the bytes that it gives back
 *   C: the check value of CRC-32C */
#include "../../clients/c/berth_robot.h"

static char line[4096];

static size_t read_hex(const char *text, uint8_t *out) {
  size_t length = 0;
  unsigned byte;
  while (sscanf(text + 2 * length, "%2x", &byte) == 1) out[length++] = (uint8_t)byte;
  return length;
}

static void print_hex(const uint8_t *data, size_t length) {
  printf(" ");
  for (size_t i = 0; i < length; i++) printf("%02x", data[i]);
}

static void print_values(const berth_layout *layout, const berth_values *values) {
  for (int f = 0; f < layout->count; f++) {
    const berth_field *field = &layout->fields[f];
    const uint8_t *at = (const uint8_t *)values + field->place;
    for (int i = 0; i < field->count; i++, at += field->size) {
      float single;
      double twice;
      uint8_t byte;
      uint16_t half;
      uint32_t word;
      uint64_t all;
      if (field->kind == 'f') memcpy(&single, at, 4), printf(" %s=%.9g", field->name, (double)single);
      else if (field->kind == 'd') memcpy(&twice, at, 8), printf(" %s=%.17g", field->name, twice);
      else if (field->size == 1) memcpy(&byte, at, 1), printf(" %s=%u", field->name, byte);
      else if (field->size == 2) memcpy(&half, at, 2), printf(" %s=%u", field->name, half);
      else if (field->size == 4) memcpy(&word, at, 4), printf(" %s=%u", field->name, word);
      else memcpy(&all, at, 8), printf(" %s=%llu", field->name, (unsigned long long)all);
    }
  }
}

static void frame_of(const uint8_t *data, size_t length) {
  static berth_frame frame;
  const uint32_t server[2] = {1, 2}, robot[2] = {3, 4};
  uint8_t key[32], out[BERTH_MAX_FRAME];
  const char *why = berth_decode(data, length, &frame);
  if (why != NULL) {
    printf("refused %s\n", why);
    return;
  }
  const berth_layout *layout = berth_layout_of(frame.type);
  berth_session_key("golden-key", "server", server, robot, key);
  printf("%s %u %llu %d", layout->name, frame.seq, (unsigned long long)frame.t_us, berth_tag_is_right(&frame, key));
  length = berth_encode(frame.type, frame.seq, frame.t_us, &frame.values, frame.tagged ? key : NULL, out);
  print_hex(out, length);
  print_values(layout, &frame.values);
  printf("\n");
}

int main(void) {
  static uint8_t data[2048], block[2048], back[2048];
  while (fgets(line, sizeof line, stdin) != NULL) {
    size_t length = read_hex(line + 2, data);
    if (line[0] == 'F') frame_of(data, length);
    if (line[0] == 'B') {
      size_t size = berth_cobs_encode(data, length, block);
      printf("cobs");
      print_hex(block, size);
      print_hex(back, berth_cobs_decode(block, size - 1, back));
      printf("\n");
    }
    if (line[0] == 'C') printf("check %u\n", berth_crc32c((const uint8_t *)"123456789", 9, 0));
  }
  return 0;
}
