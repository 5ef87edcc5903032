// Buttons to ground, and the queue of what they said.
#pragma once

#include <Arduino.h>

class Button {
 public:
  explicit Button(uint8_t pin) : pin(pin) {}

  // Whether it has just gone down, and stayed so for 20 ms. Asked once a millisecond.
  bool pressed(uint32_t now) {
    bool isDown = digitalRead(pin) == LOW;
    if (isDown == down) {
      changing = false;
    } else if (!changing) {
      changing = true;
      changedAt = now;
    } else if (now - changedAt >= DEBOUNCE_MS) {
      changing = false;
      down = isDown;
      return down;
    }
    return false;
  }

 private:
  static const uint8_t DEBOUNCE_MS = 20;
  uint8_t pin;
  bool down = true;  // one that is held while the board starts does not count
  bool changing = false;
  uint32_t changedAt = 0;
};

// Events that were not acknowledged yet, eight at most; their numbers follow each other.
class EventQueue {
 public:
  bool empty() const { return count == 0; }
  bool only() const { return count == 1; }

  // The oldest one.
  uint16_t number() const { return oldest; }
  uint8_t seat() const { return seats[0]; }

  // False where there is no room.
  bool add(uint8_t seat) {
    if (count == MOST) return false;
    seats[count++] = seat;
    return true;
  }

  // Whether it was the oldest, which is then gone; any other number is an old copy.
  bool acknowledge(uint16_t event) {
    if (empty() || event != oldest) return false;
    memmove(seats, seats + 1, --count);
    oldest++;
    return true;
  }

 private:
  static const uint8_t MOST = 8;
  uint8_t seats[MOST];
  uint8_t count = 0;
  uint16_t oldest = 1;
};
