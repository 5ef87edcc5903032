// The turn token of the table: two lights and two buttons on an ATmega328P (Uno, Nano, Pro Mini with 16 MHz).
// It speaks the light protocol, version 1 (docs/light_protocol.md), at 115200 baud.
//
//   plain lights   pins 9 (South) and 10 (North), each with a resistor to ground
//   coloured ones  a strip of two WS2812 on pin 6, South first
//   buttons        pins 2 (South) and 3 (North) to ground
//
// Whatever is not connected is not missed. Nothing here waits: loop() runs once a millisecond and sleeps in between.

#include <avr/sleep.h>
#include <EEPROM.h>

#include "buttons.h"
#include "fields.h"
#include "line.h"
#include "patterns.h"
#include "pixels.h"

const uint8_t LIGHT_PINS[2] = {9, 10};
const uint8_t BUTTON_PINS[2] = {2, 3};

const uint16_t SILENCE_MS = 5000;  // without a good line for so long there is no host
const uint16_t RESEND_MS = 250;    // between two copies of an event
const uint16_t REFRESH_MS = 1000;  // the strip is written again, for one that was plugged in late
const uint8_t BLINK_MS = 150;      // a pressed button: first dark, then white

LineReader reader;
Button buttons[2] = {Button(BUTTON_PINS[0]), Button(BUTTON_PINS[1])};
EventQueue events;
Shown shown = {OFF, NOBODY, 64};
bool hosted = true;  // until the first silence

uint16_t boot;
uint32_t now, shownSince, heardAt, sentAt, writtenAt;
uint32_t pressedAt[2];
bool blinking[2];
uint8_t colors[2][3];

void say(const char *payload) {
  char checksum[7];
  snprintf_P(checksum, sizeof checksum, PSTR("*%04X\n"), checksumOf(payload, strlen(payload)));
  Serial.print(payload);
  Serial.print(checksum);
}

void sayHello() {
  char payload[LONGEST_LINE];
  snprintf_P(payload, sizeof payload, PSTR("hello 1 %u 2 2 pyramids-light"), boot);
  say(payload);
}

void sayEvent() {
  char payload[LONGEST_LINE];
  snprintf_P(payload, sizeof payload, PSTR("button %u %u %u"), boot, events.number(), events.seat());
  say(payload);
  sentAt = now;
}

// Each of the three commands answers for itself, or returns false where its fields make no sense.

bool set(char *fields) {
  uint16_t n, level;
  Shown wanted;
  if (!readNumber(fields, n) || !readState(fields, wanted.state) || !readSeat(fields, wanted.seat) ||
      !readNumber(fields, level) || level > 255 || fields != nullptr)
    return false;
  wanted.level = level;
  if (!hosted || wanted.state != shown.state || wanted.seat != shown.seat) shownSince = now;
  shown = wanted;
  hosted = true;
  char payload[LONGEST_LINE];
  snprintf_P(payload, sizeof payload, PSTR("ok %u"), n);
  say(payload);
  return true;
}

bool acknowledge(char *fields) {
  uint16_t ofBoot, event;
  if (!readNumber(fields, ofBoot) || !readNumber(fields, event) || fields != nullptr) return false;
  say("ok ack");
  if (ofBoot == boot && events.acknowledge(event) && !events.empty()) sayEvent();
  return true;
}

bool introduce(char *fields) {
  if (fields != nullptr) return false;
  sayHello();
  return true;
}

void answer(char *payload) {
  char *rest = payload;
  const char *command = strsep(&rest, " ");
  bool good;
  if (strcmp(command, "set") == 0)
    good = set(rest);
  else if (strcmp(command, "ack") == 0)
    good = acknowledge(rest);
  else if (strcmp(command, "?") == 0)
    good = introduce(rest);
  else
    return say("no unknown");
  if (good)
    heardAt = now;
  else
    say("no field");
}

void listen() {
  while (Serial.available()) {
    switch (reader.add(Serial.read())) {
      case LineReader::MORE: continue;
      case LineReader::COMPLETE: return answer(reader.payload());
      case LineReader::TOO_LONG: return say("no long");
      case LineReader::SPOILT: return say("no checksum");
    }
  }
}

void feelButtons() {
  for (uint8_t seat = 0; seat < 2; seat++) {
    if (blinking[seat] && now - pressedAt[seat] >= BLINK_MS) blinking[seat] = false;
    if (!buttons[seat].pressed(now) || !events.add(seat)) continue;
    pressedAt[seat] = now;
    blinking[seat] = true;
    if (events.only()) sayEvent();
  }
  if (!events.empty() && now - sentAt >= RESEND_MS) sayEvent();
}

void noticeSilence() {
  if (hosted && now - heardAt >= SILENCE_MS) {
    hosted = false;
    shownSince = now;
  }
}

void shine() {
  bool changed = false;
  for (uint8_t light = 0; light < 2; light++) {
    Glow glow = hosted ? glowOf(shown, light, now - shownSince) : noHost(now - shownSince);
    if (blinking[light]) glow = {WHITE, now - pressedAt[light] < BLINK_MS / 2 ? uint8_t(0) : uint8_t(255)};
    uint8_t bright = scaled(glow.bright, shown.level);
    analogWrite(LIGHT_PINS[light], bright);
    for (uint8_t channel = 0; channel < 3; channel++) {
      uint8_t value = scaled(glow.color[channel], bright);
      if (colors[light][channel] != value) changed = true;
      colors[light][channel] = value;
    }
  }
  if (changed || now - writtenAt >= REFRESH_MS) {
    writePixels(colors);
    writtenAt = now;
  }
}

void setup() {
  Serial.begin(115200);
  for (uint8_t seat = 0; seat < 2; seat++) {
    pinMode(LIGHT_PINS[seat], OUTPUT);
    pinMode(BUTTON_PINS[seat], INPUT_PULLUP);
  }
  beginPixels();
  EEPROM.get(0, boot);  // starts are counted, so that no two have the same number
  boot++;
  EEPROM.put(0, boot);
  set_sleep_mode(SLEEP_MODE_IDLE);
  now = heardAt = millis();
  writePixels(colors);
  sayHello();
}

void loop() {
  now = millis();
  listen();
  feelButtons();
  noticeSilence();
  shine();
  if (!Serial.available()) sleep_mode();  // until the next byte, or the next tick of the clock
}
