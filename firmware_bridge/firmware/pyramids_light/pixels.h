// A strip of two WS2812 on pin 6, at 16 MHz.
#pragma once

#include <Arduino.h>
#include <util/atomic.h>

#if F_CPU != 16000000L
#error "The pulses for the coloured lights are counted for 16 MHz"
#endif

const uint8_t STRIP = _BV(PD6);

inline void beginPixels() { DDRD |= STRIP; }

// Eight bits, the highest first, 20 cycles (1.25 us) each: up for 5 cycles (0.31 us) is a 0, for 12 (0.75 us) a 1.
inline void writeByte(uint8_t byte, uint8_t up, uint8_t down) {
  uint8_t bits = 8;
  asm volatile(
      "1: out  %[port], %[up]   \n"  // cycle 0
      "   rjmp .+0              \n"  // 1, 2
      "   nop                   \n"  // 3
      "   sbrs %[byte], 7       \n"  // 4; a 1 jumps over the next, which takes as long
      "   out  %[port], %[down] \n"  // 5
      "   lsl  %[byte]          \n"  // 6
      "   rjmp .+0              \n"  // 7, 8
      "   rjmp .+0              \n"  // 9, 10
      "   nop                   \n"  // 11
      "   out  %[port], %[down] \n"  // 12
      "   rjmp .+0              \n"  // 13, 14
      "   rjmp .+0              \n"  // 15, 16
      "   dec  %[bits]          \n"  // 17
      "   brne 1b               \n"  // 18, 19
      : [byte] "+r"(byte), [bits] "+r"(bits)
      : [port] "I"(_SFR_IO_ADDR(PORTD)), [up] "r"(up), [down] "r"(down));
}

// Both pixels, red green blue each. Interrupts are off for 60 us: less than one byte of the serial line takes.
inline void writePixels(const uint8_t colors[2][3]) {
  ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
    const uint8_t up = PORTD | STRIP, down = PORTD & ~STRIP;
    for (uint8_t i = 0; i < 2; i++) {
      writeByte(colors[i][1], up, down);
      writeByte(colors[i][0], up, down);
      writeByte(colors[i][2], up, down);
    }
  }
}
