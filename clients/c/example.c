/*
 * A robot of a tool that follows at once: replace `move` by the arm of your own (docs/robot-kit.md).
 *
 *   cc -O2 -o example clients/c/example.c -lm && ./example ws://127.0.0.1:7411/robot 0 0 0.001
 */
#include "berth_robot.h"
#include <signal.h>

static volatile sig_atomic_t ended;
static void end(int number) { ended = number; }

/* Where your arm comes in: it measures, and it moves for one cycle. */
static double position[3] = {0, 0, 0.001};
static float orientation[4] = {0, 0, 0, 1};
static float twist[6];
static float wrench[6]; /* of your force sensor: N and N m on the tool */

static void slow(float v[3], double by) {
  double speed = berth_length(v);
  for (int i = 0; i < 3; i++) v[i] = speed > by ? (float)(v[i] * (1 - by / speed)) : 0;
}

static void move(const berth_command *command, double dt) {
  if (command->action == BERTH_FOLLOW) {
    memcpy(position, command->position, sizeof position);
    memcpy(orientation, command->orientation, sizeof orientation);
    memcpy(twist, command->twist, sizeof twist);
    return;
  }
  if (command->action != BERTH_COAST) {
    double strength = command->action == BERTH_EMERGENCY ? 4 : 1;
    slow(twist, 5 * strength * dt);
    slow(twist + 3, 20 * strength * dt);
  }
  for (int i = 0; i < 3; i++) position[i] += twist[i] * dt;
  berth_turn(orientation, twist + 3, dt);
}

int main(int count, char **words) {
  static berth_robot robot;
  berth_options options = {.address = count > 1 ? words[1] : "ws://127.0.0.1:7411/robot",
                           .device = "c-example",
                           .key = getenv("BERTH_ROBOT_KEY"),
                           .capabilities = 1};
  for (int i = 0; i < 3 && i + 2 < count; i++) position[i] = atof(words[i + 2]);
  signal(SIGTERM, end);
  signal(SIGINT, end);
  berth_open(&robot, &options);
  while (!ended) {
    berth_report(&robot, position, orientation, twist, wrench);
    berth_command command = berth_wait(&robot);
    move(&command, robot.period_s);
  }
  berth_close(&robot);
  return 0;
}
