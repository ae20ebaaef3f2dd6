//! The window: passes its events to egui, and draws a frame only when egui asks for one.

use std::time::{Duration, Instant};

use egui_glow::EguiGlow;
use egui_winit::accesskit_winit::{self, WindowEvent as ReaderEvent};
use rasterscan::{Error, Gpu};
use winit::application::ApplicationHandler;
use winit::dpi::LogicalSize;
use winit::error::EventLoopError;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy};
use winit::window::{Window, WindowId};

use super::gl::WindowGl;
use crate::{App, Theme, Wish};

/// Opens a window and shows the app in it until it is closed, in the system's theme if none is given. `begin` makes the
/// app from the window's context, or from the reason why algorithms cannot run there.
///
/// Errors: [`Error::NoDevice`] without a display, or with one without OpenGL.
pub fn open(
    theme: Option<Theme>,
    begin: impl FnOnce(Result<Gpu, Error>) -> App + 'static,
) -> Result<(), Error> {
    let event_loop = EventLoop::<Asked>::with_user_event()
        .build()
        .map_err(|error| Error::NoDevice(format!("no display to open a window on: {}", reason(&error))))?;
    let mut shell = Shell {
        proxy: event_loop.create_proxy(),
        begin: Some(Box::new(begin)),
        theme,
        room: None,
        failed: None,
    };
    event_loop
        .run_app(&mut shell)
        .map_err(|error| Error::NoDevice(format!("the display failed: {error}")))?;
    shell.failed.map_or(Ok(()), Err)
}

/// The error without the source location that winit puts first.
fn reason(error: &EventLoopError) -> String {
    let text = error.to_string();
    let told = text.strip_prefix("os error at ").and_then(|rest| rest.split_once(": "));
    told.map_or(text.clone(), |(_, reason)| reason.to_owned())
}

/// An event that is not the window's.
#[derive(Debug)]
enum Asked {
    /// egui wants a frame after this delay.
    Frame(Duration),
    /// A screen reader wants the tree of widgets, uses one of them, or has ended.
    Reader(ReaderEvent),
}

impl From<accesskit_winit::Event> for Asked {
    fn from(event: accesskit_winit::Event) -> Asked {
        Asked::Reader(event.window_event)
    }
}

type Begin = Box<dyn FnOnce(Result<Gpu, Error>) -> App>;

struct Shell {
    proxy: EventLoopProxy<Asked>,
    begin: Option<Begin>,
    theme: Option<Theme>,
    room: Option<Room>,
    failed: Option<Error>,
}

/// The state of an open window. Fields are dropped in this order, the window last.
struct Room {
    app: App,
    egui: EguiGlow,
    /// The time at which egui wants the next frame.
    due: Option<Instant>,
    gl: WindowGl,
}

impl Shell {
    fn begin(&mut self, event_loop: &ActiveEventLoop) -> Result<(), Error> {
        let Some(begin) = self.begin.take() else { return Ok(()) };
        let attributes = Window::default_attributes()
            .with_title("rasterscan")
            .with_inner_size(LogicalSize::new(1280.0, 800.0))
            .with_min_inner_size(LogicalSize::new(240.0, 180.0))
            .with_visible(false);
        let gl = WindowGl::new(event_loop, attributes)?;
        let (gpu, painter) = (gl.gpu(), gl.painter());
        // The painter would panic if its shaders did not compile; this returns the error.
        egui_glow::Painter::new(painter.clone(), "", None, false)
            .map(|mut painter| painter.destroy())
            .map_err(|error| Error::NoDevice(format!("cannot paint the window: {error}")))?;
        let mut egui = EguiGlow::new(event_loop, painter, None, None, true);
        if let Some(theme) = self.theme {
            egui.egui_ctx.set_theme(theme);
        }
        egui.egui_winit.init_accesskit(event_loop, gl.window(), self.proxy.clone());
        let proxy = egui::mutex::Mutex::new(self.proxy.clone());
        egui.egui_ctx.set_request_repaint_callback(move |info| {
            // Fails only after the loop has ended.
            let _ = proxy.lock().send_event(Asked::Frame(info.delay));
        });
        gl.window().set_visible(true);
        gl.window().request_redraw();
        self.room = Some(Room { app: begin(gpu), egui, due: None, gl });
        Ok(())
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, error: Error) {
        self.failed = Some(error);
        event_loop.exit();
    }
}

impl ApplicationHandler<Asked> for Shell {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if let Err(error) = self.begin(event_loop) {
            self.fail(event_loop, error);
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(room) = &mut self.room else { return };
        match &event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => return event_loop.exit(),
            // Kept from egui, which would ask for another frame at once.
            WindowEvent::RedrawRequested => {
                match room.draw() {
                    Ok(true) => {}
                    Ok(false) => event_loop.exit(),
                    Err(error) => self.fail(event_loop, error),
                }
                return;
            }
            WindowEvent::Resized(_) => room.gl.resize(),
            _ => {}
        }
        if room.egui.on_window_event(room.gl.window(), &event).repaint {
            room.gl.window().request_redraw();
        }
    }

    fn user_event(&mut self, _: &ActiveEventLoop, event: Asked) {
        let Some(room) = &mut self.room else { return };
        let delay = match event {
            Asked::Frame(delay) => delay,
            Asked::Reader(event) => {
                match event {
                    ReaderEvent::InitialTreeRequested => room.egui.egui_ctx.enable_accesskit(),
                    ReaderEvent::ActionRequested(asked) => {
                        room.egui.egui_winit.on_accesskit_action_request(asked)
                    }
                    ReaderEvent::AccessibilityDeactivated => room.egui.egui_ctx.disable_accesskit(),
                }
                Duration::ZERO
            }
        };
        match Instant::now().checked_add(delay) {
            _ if delay.is_zero() => room.gl.window().request_redraw(),
            Some(due) => room.due = Some(room.due.map_or(due, |earlier| earlier.min(due))),
            // No frame is due.
            None => {}
        }
    }

    fn new_events(&mut self, _: &ActiveEventLoop, cause: StartCause) {
        let Some(room) = &mut self.room else { return };
        if matches!(cause, StartCause::ResumeTimeReached { .. }) {
            room.due = None;
            room.gl.window().request_redraw();
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let due = self.room.as_ref().and_then(|room| room.due);
        event_loop.set_control_flow(due.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        if let Some(mut room) = self.room.take() {
            room.egui.destroy();
        }
    }
}

impl Room {
    /// Draws a frame. Returns whether the app continues.
    fn draw(&mut self) -> Result<bool, Error> {
        self.due = None;
        let app = &mut self.app;
        self.egui.run(self.gl.window(), |ui| app.ui(ui));
        if self.app.take_wishes().contains(&Wish::Quit) {
            return Ok(false);
        }
        let size = self.gl.window().inner_size();
        if size.width > 0 && size.height > 0 {
            let background = App::background(&self.egui.egui_ctx).to_normalized_gamma_f32();
            self.egui.painter.clear(size.into(), background);
            self.egui.paint(self.gl.window());
            self.gl.swap()?;
        }
        Ok(true)
    }
}
