// Lines: PAYLOAD*CCCC, read byte by byte.
#pragma once

#include <Arduino.h>
#include <util/crc16.h>

const uint8_t LONGEST_LINE = 64;

// CRC-16/CCITT-FALSE
inline uint16_t checksumOf(const char *bytes, uint8_t count) {
  uint16_t crc = 0xFFFF;
  for (uint8_t i = 0; i < count; i++) crc = _crc_xmodem_update(crc, bytes[i]);
  return crc;
}

class LineReader {
 public:
  enum Result { MORE, COMPLETE, TOO_LONG, SPOILT };

  // Takes one byte; tells what the line was when that byte has ended it.
  Result add(char byte) {
    if (byte == '\r') return MORE;
    if (byte != '\n') {
      if (length < LONGEST_LINE)
        bytes[length++] = byte;
      else
        overlong = true;
      if (byte < ' ' || byte > '~') printable = false;
      return MORE;
    }
    Result result = judge();
    length = 0;
    overlong = false;
    printable = true;
    return result;
  }

  // The last complete line without its checksum, until the next byte is added.
  char *payload() { return bytes; }

 private:
  char bytes[LONGEST_LINE + 1];
  uint8_t length = 0;
  bool overlong = false;
  bool printable = true;

  Result judge() {
    if (overlong) return TOO_LONG;
    if (length == 0) return MORE;
    if (length == 1 && bytes[0] == '?') {
      bytes[1] = '\0';
      return COMPLETE;
    }
    if (!printable || length < 5 || bytes[length - 5] != '*') return SPOILT;
    uint16_t stated = 0;
    for (uint8_t i = length - 4; i < length; i++) {
      if (!isHexadecimalDigit(bytes[i])) return SPOILT;
      stated = stated << 4 | (bytes[i] <= '9' ? bytes[i] - '0' : (bytes[i] & 0xF) + 9);
    }
    bytes[length - 5] = '\0';
    return stated == checksumOf(bytes, length - 5) ? COMPLETE : SPOILT;
  }
};
