/** A person who flies from the console: service, robot, browser and page, as the tests of flights share them. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { type Drawing, noteFaults, openBrowser } from './chromium.ts';
import { type Gear, type Hand, keyboardHand, Person, pulse, Station } from './flight-rig.ts';
import { eventually, PATIENCE_S } from './page-rig.ts';
import { type Picture, readPicture } from './picture.ts';

/** What differs between flights. */
export interface FlightOptions {
  /** Further settings, `path=value`. */
  readonly settings?: readonly string[];
  readonly drawing?: Drawing;
  readonly gear?: Gear;
  /** What is flown with; the keyboard when left out. It may prepare the page before that is loaded. */
  readonly hand?: (page: Page) => Hand | Promise<Hand>;
}

/** The scene of a page. With BERTH_PICTURES it is kept in that folder. */
async function pictureOf(page: Page, name: string): Promise<Picture> {
  const png = await page.locator('#scene').screenshot();
  const folder = process.env['BERTH_PICTURES'];
  if (folder !== undefined) writeFileSync(join(folder, `${name}.png`), png);
  return readPicture(page, png);
}

/** Everything of one flight. */
export class ConsoleFlight {
  readonly station: Station;
  readonly page: Page;
  readonly person: Person;
  readonly #faults: string[];
  readonly #browser: Browser;

  private constructor(
    station: Station,
    browser: Browser,
    page: Page,
    person: Person,
    faults: string[],
  ) {
    this.station = station;
    this.#browser = browser;
    this.page = page;
    this.person = person;
    this.#faults = faults;
  }

  /** Errors of its pages and violations of their content security policy. */
  get faults(): readonly string[] {
    return this.#faults;
  }

  /** A service and a person with authority at its fly page. */
  static async open({
    settings = [],
    drawing = 'none',
    gear = 'Vernier',
    hand = (page) => keyboardHand(page),
  }: FlightOptions = {}): Promise<ConsoleFlight> {
    const station = await Station.start(...settings);
    let browser: Browser | null = null;
    try {
      browser = await openBrowser(drawing);
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      const page = await context.newPage();
      const faults: string[] = [];
      await noteFaults(page, faults);
      await pulse(page);
      const held = await hand(page);
      await page.goto(`${station.origin}/#/fly`);
      const person = new Person(page, station.ticks, held, gear);
      await person.takeAuthority();
      return new ConsoleFlight(station, browser, page, person, faults);
    } catch (error) {
      await browser?.close();
      await station.close();
      throw error;
    }
  }

  /** The scene as it is drawn. */
  picture(name: string): Promise<Picture> {
    return pictureOf(this.page, name);
  }

  /** The scene in another browser, which draws and sees the same flight, as soon as it is as wanted. Drawn all the way it would delay the loop. */
  async watched(name: string, accept: (picture: Picture) => boolean): Promise<Picture> {
    const browser = await openBrowser('software');
    try {
      const page = await browser.newPage({ viewport: { width: 800, height: 700 } });
      await noteFaults(page, this.#faults);
      await page.goto(`${this.station.origin}/#/fly`);
      return await eventually(PATIENCE_S, async () => {
        const picture = await pictureOf(page, name);
        assert.ok(accept(picture), JSON.stringify(picture));
        return picture;
      });
    } finally {
      await browser.close();
    }
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.station.close();
  }
}
