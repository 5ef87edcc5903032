// What each state looks like: a rhythm and a colour.
#pragma once

#include <Arduino.h>

enum State : uint8_t { SETUP, TURN, JUDGING, ILLEGAL, UNSURE, DISAGREE, PAUSED, RESTORING, OVER, OFF };

const uint8_t STATES = 10;
const char *const STATE_NAMES[STATES] = {"setup",    "turn",   "judging",   "illegal", "unsure",
                                         "disagree", "paused", "restoring", "over",    "off"};

const uint8_t NOBODY = 0xFF;

struct Shown {
  State state;
  uint8_t seat;  // 0, 1 or NOBODY
  uint8_t level;
};

const uint8_t WHITE[3] = {255, 255, 255};
const uint8_t RED[3] = {255, 0, 0};
const uint8_t VIOLET[3] = {160, 0, 255};
const uint8_t ORANGE[3] = {255, 60, 0};
const uint8_t BLUE[3] = {0, 0, 255};
const uint8_t GREEN[3] = {0, 255, 0};
const uint8_t AMBER[3] = {255, 150, 0};
const uint8_t CYAN[3] = {0, 200, 255};

struct Glow {
  const uint8_t *color;
  uint8_t bright;
};

inline uint8_t scaled(uint8_t value, uint8_t by) { return uint16_t(value) * by / 255; }

inline uint8_t onIf(bool lit) { return lit ? 255 : 0; }

// Up to 255 and down to 0 again, in one second.
inline uint8_t fade(uint32_t ms) {
  uint16_t t = ms % 1000;
  return (t < 500 ? t : 1000 - t) * 255UL / 500;
}

inline const uint8_t *colorOfSeat(uint8_t seat) { return seat == 0 ? AMBER : seat == 1 ? CYAN : WHITE; }

// What a light shows, so many ms after the state began.
inline Glow glowOf(const Shown &shown, uint8_t light, uint32_t ms) {
  bool own = shown.seat == NOBODY || shown.seat == light;
  bool first = shown.seat == NOBODY ? light == 0 : own;  // where the two always differ, light 0 leads for nobody
  switch (shown.state) {
    case SETUP: return {WHITE, onIf((first ? ms : ms + 1000) % 2000 < 120)};
    case TURN: return {colorOfSeat(shown.seat), onIf(own)};
    case JUDGING: return {WHITE, own ? fade(ms) : uint8_t(0)};
    case ILLEGAL: return {RED, onIf(own && ms % 1200 < 600 && ms % 1200 % 200 < 100)};
    case UNSURE: return {VIOLET, onIf(own && ms % 2000 < 1200 && ms % 2000 % 600 < 300)};
    case DISAGREE: return {ORANGE, onIf((ms % 1000 < 500) == first)};
    case PAUSED: return {BLUE, 64};
    case RESTORING: return {GREEN, first ? uint8_t(255 - fade(ms)) : fade(ms)};
    case OVER: return {colorOfSeat(shown.seat), onIf(own && ms % 2000 < 1800)};
    case OFF: break;
  }
  return {WHITE, 0};
}

inline Glow noHost(uint32_t ms) { return {RED, onIf(ms % 3000 < 50)}; }
