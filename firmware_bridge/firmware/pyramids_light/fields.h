// Fields of a payload, between single spaces. Each function takes one off the front of `rest`, which is null after the
// last, and returns false where it makes no sense.
#pragma once

#include <Arduino.h>

#include "patterns.h"

// 0 to 65535, in at most five digits.
inline bool readNumber(char *&rest, uint16_t &number) {
  const char *field = strsep(&rest, " ");
  if (field == nullptr || *field == '\0' || strlen(field) > 5) return false;
  uint32_t value = 0;
  for (; *field; field++) {
    if (!isDigit(*field)) return false;
    value = value * 10 + (*field - '0');
  }
  number = value;
  return value <= 0xFFFF;
}

inline bool readState(char *&rest, State &state) {
  const char *field = strsep(&rest, " ");
  if (field == nullptr) return false;
  for (uint8_t i = 0; i < STATES; i++) {
    if (strcmp(field, STATE_NAMES[i]) == 0) {
      state = State(i);
      return true;
    }
  }
  return false;
}

inline bool readSeat(char *&rest, uint8_t &seat) {
  const char *field = strsep(&rest, " ");
  if (field == nullptr || field[0] == '\0' || field[1] != '\0') return false;
  seat = field[0] == '-' ? NOBODY : field[0] - '0';
  return seat == 0 || seat == 1 || seat == NOBODY;
}
