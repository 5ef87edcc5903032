/* A simulated board: runs an ATmega328P program in simavr, with its serial line behind a pseudo-terminal.
 *
 *     simavr_host FIRMWARE.elf LINK EEPROM SPEED
 *
 * LINK becomes a link to the terminal, EEPROM is a file that keeps the memory of the board while it has no power, and
 * SPEED says how many simulated milliseconds pass in a real one. As on a real line, what is sent while nobody has
 * opened the terminal is lost, and anything but 115200 baud comes out as garbage.
 *
 * Standard output gets a line for each thing that happens, with its simulated time in microseconds in front:
 *
 *     port LINK                the board runs
 *     led N LEVEL              plain light N (0 on pin 9, 1 on pin 10) has this level, 0 to 255
 *     pixels RRGGBB RRGGBB     the strip on pin 6 was written with other colours than before
 *     fault WHAT               pulses that a strip would not understand
 *     says LINE                a line that the board sent
 *     done COMMAND             a command of standard input was obeyed
 *
 * Commands: press N, release N (button N, 0 on pin 2, 1 on pin 3), unplug, plug (the serial line), restart,
 * lose N (of a thousand bytes either way), wait N (so many milliseconds before the next command), quit. The end of
 * standard input is a quit, too.
 *
 * simavr is under the GPL, version 3: this program is for tests, and no part of what is installed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <simavr/avr_eeprom.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

enum { MHZ = 16, MS = 1000 * MHZ, EEPROM_SIZE = 1024, BITS = 48 };
/* Addresses of the ATmega328P's registers in the data space. */
enum { DDRB = 0x24, PORTB = 0x25, TCCR1A = 0x80, OCR1AL = 0x88, OCR1BL = 0x8A };

static avr_t *avr;
static const char *link_path, *eeprom_path;
static int terminal = -1, per_mille_lost = 0, running = 1, stopped_by_uart = 0;
static unsigned dice = 1;

static void tell(const char *what) { printf("%llu %s\n", (unsigned long long)(avr->cycle / MHZ), what); }

/* The serial line */

static int lost(void) { return per_mille_lost && (int)(rand_r(&dice) % 1000) < per_mille_lost; }

static int somebody_listens(void) {
  struct pollfd entry = {.fd = terminal, .events = POLLIN};
  return terminal >= 0 && poll(&entry, 1, 0) >= 0 && !(entry.revents & POLLHUP);
}

static unsigned char at_the_baud_of_the_other(unsigned char byte) {
  struct termios settings;
  if (terminal >= 0 && tcgetattr(terminal, &settings) == 0 && cfgetospeed(&settings) != B115200)
    return (unsigned char)(byte * 167 + 13) | 0x80;
  return byte;
}

static void board_sent(avr_irq_t *irq, uint32_t value, void *unused) {
  static char line[256];
  static size_t length;
  (void)irq, (void)unused;
  unsigned char byte = at_the_baud_of_the_other((unsigned char)value);
  if (!lost() && somebody_listens() && write(terminal, &byte, 1) < 0 && errno != EAGAIN) perror("write");
  if (value != '\n' && length < sizeof line - 8) {
    line[length++] = value >= ' ' && value <= '~' ? (char)value : '.';
  } else {
    printf("%llu says %.*s\n", (unsigned long long)(avr->cycle / MHZ), (int)length, line);
    length = 0;
  }
}

static void uart_has_room(avr_irq_t *irq, uint32_t value, void *unused) {
  (void)irq, (void)unused;
  if (value) stopped_by_uart = 0;
}

static void uart_is_full(avr_irq_t *irq, uint32_t value, void *unused) {
  (void)irq, (void)unused;
  if (value) stopped_by_uart = 1;
}

static void hand_bytes_to_the_board(void) {
  avr_irq_t *input = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
  unsigned char byte;
  while (terminal >= 0 && !stopped_by_uart && read(terminal, &byte, 1) == 1)
    if (!lost()) avr_raise_irq(input, at_the_baud_of_the_other(byte));
}

static void plug(void) {
  struct termios settings;
  terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
  if (terminal < 0 || grantpt(terminal) || unlockpt(terminal)) exit(3);
  /* Opened and closed once, a terminal knows from the start that nobody listens. */
  int other = open(ptsname(terminal), O_RDWR | O_NOCTTY);
  tcgetattr(other, &settings);
  cfmakeraw(&settings);
  cfsetspeed(&settings, B115200);
  tcsetattr(other, TCSANOW, &settings);
  close(other);
  unlink(link_path);
  if (symlink(ptsname(terminal), link_path)) exit(3);
}

static void unplug(void) {
  unlink(link_path);
  close(terminal);
  terminal = -1;
}

/* The lights */

static void look_at_plain_lights(void) {
  static int shown[2] = {-1, -1};
  for (int i = 0; i < 2; i++) {
    int pin = 1 << (i + 1);                                   /* PB1, PB2 */
    int by_timer = avr->data[TCCR1A] & (i ? 0x20 : 0x80);     /* COM1B1, COM1A1 */
    int level = by_timer ? avr->data[i ? OCR1BL : OCR1AL] : avr->data[PORTB] & pin ? 255 : 0;
    if (!(avr->data[DDRB] & pin)) level = 0;
    if (level != shown[i]) printf("%llu led %d %d\n", (unsigned long long)(avr->cycle / MHZ), i, level);
    shown[i] = level;
  }
}

static struct {
  avr_cycle_count_t rose, fell;
  int bits, up;
  unsigned char bytes[BITS / 8], shown[BITS / 8];
} strip;

static double nanoseconds(avr_cycle_count_t cycles) { return cycles * 1000.0 / MHZ; }

static void look_at_the_strip(void) {
  if (!strip.bits || strip.up || nanoseconds(avr->cycle - strip.fell) < 280000) return;
  const unsigned char *b = strip.bytes; /* green, red, blue */
  if (strip.bits != BITS) {
    tell("fault bits");
  } else if (memcmp(b, strip.shown, sizeof strip.shown)) {
    printf("%llu pixels %02X%02X%02X %02X%02X%02X\n", (unsigned long long)(strip.fell / MHZ),
           b[1], b[0], b[2], b[4], b[3], b[5]);
    memcpy(strip.shown, b, sizeof strip.shown);
  }
  strip.bits = 0;
}

/* The windows are what both the WS2812B and its successor take: a 0 is up for 220 to 380 ns, a 1 for 580 to 1000. */
static void strip_pin_changed(avr_irq_t *irq, uint32_t value, void *unused) {
  (void)irq, (void)unused;
  if ((int)value == strip.up) return;
  look_at_the_strip();
  strip.up = (int)value;
  if (value) {
    double gap = nanoseconds(avr->cycle - strip.fell);
    if (strip.bits && (gap < 220 || gap > 5000)) tell("fault gap");
    strip.rose = avr->cycle;
    return;
  }
  double width = nanoseconds(avr->cycle - strip.rose);
  strip.fell = avr->cycle;
  int one = width >= 580 && width <= 1000;
  if (!one && (width < 220 || width > 380)) tell("fault pulse");
  if (strip.bits < BITS) {
    unsigned char *byte = &strip.bytes[strip.bits / 8];
    *byte = (unsigned char)(*byte << 1 | one);
  }
  strip.bits++;
}

/* The memory that lasts */

static void keep_eeprom(void) {
  avr_eeprom_desc_t all = {.ee = NULL, .offset = 0, .size = EEPROM_SIZE};
  FILE *file = fopen(eeprom_path, "wb");
  if (!file) return;
  avr_ioctl(avr, AVR_IOCTL_EEPROM_GET, &all);
  fwrite(all.ee, 1, EEPROM_SIZE, file);
  fclose(file);
}

static void recall_eeprom(void) {
  uint8_t bytes[EEPROM_SIZE];
  avr_eeprom_desc_t all = {.ee = bytes, .offset = 0, .size = EEPROM_SIZE};
  FILE *file = fopen(eeprom_path, "rb");
  if (!file) return;
  if (fread(bytes, 1, EEPROM_SIZE, file) == EEPROM_SIZE) avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &all);
  fclose(file);
}

/* The commands */

static int released = 0x0C; /* the levels of pins 2 and 3 */

static void pull_pins(void) {
  /* The level from outside counts whenever the program touches the port; the interrupt tells it at once. */
  avr_ioport_external_t outside = {.name = 'D', .mask = 0x0C, .value = released};
  avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL('D'), &outside);
  for (int pin = 2; pin <= 3; pin++) {
    avr_irq_t *irq = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), pin);
    int level = released >> pin & 1;
    avr_raise_irq(irq, !level);
    avr_raise_irq(irq, level);
  }
}

static void hold_button(int number, int down) {
  int pin = number ? 0x08 : 0x04;
  released = down ? released & ~pin : released | pin;
  pull_pins();
}

static avr_cycle_count_t resume_at; /* the end of a wait */

static void obey(const char *command) {
  int number = 0;
  if (sscanf(command, "press %d", &number) == 1) hold_button(number, 1);
  else if (sscanf(command, "release %d", &number) == 1) hold_button(number, 0);
  else if (sscanf(command, "lose %d", &number) == 1) per_mille_lost = number;
  else if (sscanf(command, "wait %d", &number) == 1) resume_at = avr->cycle + (avr_cycle_count_t)number * MS;
  else if (!strcmp(command, "unplug") && terminal >= 0) unplug();
  else if (!strcmp(command, "plug") && terminal < 0) plug();
  else if (!strcmp(command, "restart")) avr_reset(avr), pull_pins();
  else if (!strcmp(command, "quit")) running = 0;
}

static void read_commands(void) {
  static char line[64];
  static size_t length;
  char byte;
  ssize_t got = -1;
  while (avr->cycle >= resume_at) {
    if (resume_at) printf("%llu done %s\n", (unsigned long long)(avr->cycle / MHZ), line);
    resume_at = 0;
    if ((got = read(STDIN_FILENO, &byte, 1)) != 1) break;
    if (byte != '\n' && length < sizeof line - 1) {
      line[length++] = byte;
      continue;
    }
    line[length] = '\0';
    length = 0;
    resume_at = avr->cycle;
    obey(line);
  }
  if (got == 0) running = 0;
}

/* Time */

static void sleep_in_simulated_time_only(avr_t *of, avr_cycle_count_t cycles) { (void)of, (void)cycles; }

static long long real_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

static void run_one_ms(void) {
  avr_cycle_count_t end = (avr->cycle / MS + 1) * MS;
  while (avr->cycle < end) {
    avr_run(avr);
    if (avr->state == cpu_Done || avr->state == cpu_Crashed) tell("fault stopped"), exit(4);
  }
  look_at_plain_lights();
  look_at_the_strip();
}

int main(int count, char **words) {
  static elf_firmware_t firmware;
  if (count != 5 || elf_read_firmware(words[1], &firmware)) return 2;
  link_path = words[2];
  eeprom_path = words[3];
  int speed = atoi(words[4]);

  avr = avr_make_mcu_by_name("atmega328p");
  avr_init(avr);
  avr_load_firmware(avr, &firmware);
  avr->frequency = MHZ * 1000000;
  avr->sleep = sleep_in_simulated_time_only;
  avr->log = LOG_ERROR;
  uint32_t plain = 0;
  avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &plain);
  avr_irq_t *uart = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), 0);
  avr_irq_register_notify(uart + UART_IRQ_OUTPUT, board_sent, NULL);
  avr_irq_register_notify(uart + UART_IRQ_OUT_XON, uart_has_room, NULL);
  avr_irq_register_notify(uart + UART_IRQ_OUT_XOFF, uart_is_full, NULL);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 6), strip_pin_changed, NULL);
  recall_eeprom();
  pull_pins();

  setvbuf(stdout, NULL, _IOLBF, 0);
  fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK);
  plug();
  printf("0 port %s\n", link_path);
  for (long long due = real_us(); running; due += 1000) {
    read_commands();
    for (int i = 0; i < speed; i++) {
      hand_bytes_to_the_board();
      run_one_ms();
    }
    long long early = due + 1000 - real_us();
    if (early > 0) usleep((useconds_t)early);
    if (early < -50000) due = real_us(); /* a busy machine: time goes slower, and is not caught up with */
  }
  keep_eeprom();
  if (terminal >= 0) unplug();
  return 0;
}
